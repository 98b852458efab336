import type { QueryClient } from '@tanstack/react-query'
import { lazyDialog } from '#/renderer/components/lazy-contained'
import { lazyScreen } from '#/renderer/components/lazy-screen'
import { logFailure } from '#/renderer/lib/core/logger'
import { onCaughtUp } from '#/renderer/lib/live'
import type { DraftTimes } from '#/renderer/lib/local/draft-age'
import { storageKeyPrefix } from '#/renderer/lib/local/local-storage'
import type { NotificationAnswer } from '#/shared/bridge'
import { openConversation } from './mutations/conversations'

export const MessagesScreen = lazyScreen(() => import('./MessagesScreen'), 'MessagesScreen')
export const ShareDialog = lazyDialog(() => import('./components/ShareDialog'), 'ShareDialog')

/** Loads the function that opens the drafts of a member, and returns a function that closes them: they stay stored for their member. */
export async function loadMessageDrafts(): Promise<(me: string) => () => void> {
  // The attachments belong to the drafts that are open.
  const [drafts] = await Promise.all([import('./drafts-store'), import('./draft-attachments-store')])
  return (me) => {
    drafts.openDrafts(me)
    return () => drafts.closeDrafts(me)
  }
}

function loadStores() {
  return Promise.all([
    import('./drafts-store'),
    import('./draft-attachments-store'),
    import('./editing-store'),
    import('#/renderer/lib/outbox/active'),
  ])
}

/** Whether a member has written something on this device that is not sent: in a field of a conversation, or in the outbox. */
export async function hasUnsent(me: string, server: string): Promise<boolean> {
  const keyPrefix = storageKeyPrefix('draft', me)
  const [drafts, attachments, editing, outbox] = await loadStores()
  if (drafts.hasDrafts(me) || editing.hasEdits(keyPrefix)) return true
  return (await outbox.hasRows(me, server)) || attachments.hasDraftPhotos(keyPrefix)
}

/** Removes the unsent messages, comments, posts and stories of a member from the outbox, and the drafts of messages. */
export async function forgetUnsent(me: string, server: string): Promise<void> {
  const [drafts, attachments, editing, outbox] = await loadStores()
  const keyPrefix = drafts.forgetDrafts(me)
  editing.forgetEdits(keyPrefix)
  await Promise.all([outbox.clearOutbox(me, server), attachments.removeMemberAttachments(keyPrefix)])
}

/** Removes drafts of messages that nobody has edited for `DRAFT_DAYS`, with their photos. */
export async function removeOldMessageDrafts(times: DraftTimes): Promise<void> {
  const [drafts, attachments] = await Promise.all([import('./drafts-store'), import('./attachments-store')])
  drafts.removeOldDrafts(times)
  await attachments.removeOldAttachments(times)
}

/** Follows the member's groups once the live connection is there. Returns a stop function. */
export function followGroups(client: QueryClient): () => void {
  let isOver = false
  let stop: (() => void) | undefined
  const start = async () => {
    const topics = await import('./queries/group-topics')
    if (!isOver) stop ??= topics.followGroups(client)
  }
  // After each interruption, until the code is loaded.
  const ignore = onCaughtUp(() => {
    if (stop === undefined) start().catch((cause: unknown) => logFailure('load groups', cause))
  })
  return () => {
    isOver = true
    ignore()
    stop?.()
  }
}

/** Handles the reply or action of a notification; see `answerNotification`. */
export async function answerNotification(
  client: QueryClient,
  answer: NotificationAnswer,
  me: string | undefined,
): Promise<void> {
  await (await import('./answer-notification')).answerNotification(client, answer, me)
}

interface StoryReply {
  /** With the same id a repeated send is one message. */
  id: string
  storyId: string
  ownerId: string
  text: string
}

/** Sends a reply to a story as a message, or queues it while the connection is lost. */
export async function replyToStory(
  me: string,
  { id, storyId, ownerId, text }: StoryReply,
): Promise<'sent' | 'waiting'> {
  const [conversation_id, { sendMessage }] = await Promise.all([
    openConversation(me, ownerId),
    import('./mutations/send'),
  ])
  return sendMessage({ conversation_id, content: text, story_id: storyId }, id)
}

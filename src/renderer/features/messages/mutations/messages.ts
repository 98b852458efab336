import { useMutation, useMutationState, useQueryClient } from '@tanstack/react-query'
import { useMe } from '#/renderer/features/auth'
import { isConflict } from '#/renderer/lib/core/errors'
import { removeMedia } from '#/renderer/lib/media-store'
import { isKnownOffline } from '#/renderer/lib/queries/offline'
import { supabase, unwrap } from '#/renderer/lib/server/supabase'
import { texts } from '#/renderer/lib/texts'
import type { REACTIONS } from '#/shared/limits'
import { failSaving, finishSaving, type SavedEdit } from '../editing-store'
import { messageKeys, reactionKey } from '../keys'
import { type Message, STORED_COLUMNS, type StoredMessage } from '../message'
import { applyToList, showAsRead } from '../queries/conversations'
import { refetchUnread } from '../queries/live'
import { findLoaded, type PhotoRow, upsertMessage } from '../queries/messages'

/** Calls for one conversation, of 100,000 messages: a server may say for ever that more are left. */
const MARKS_MOST = 1_000

/** Later than all ids. */
const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

/**
 * Marks a conversation as read up to a message, or up to a time. The server marks `MESSAGES_MARKED` messages at once, because each row
 * takes time and there may be thousands. Throws an `AppError`.
 */
export async function markConversationRead(
  conversationId: string,
  { created_at, id = LAST_ID }: { created_at: string; id?: string },
): Promise<void> {
  const until = { conversation: conversationId, until_at: created_at, until_id: id }
  for (let marks = 0; marks < MARKS_MOST; marks += 1) {
    if (!(await unwrap(supabase().rpc('mark_read', until)))) return
  }
}

/** Marks messages of a conversation up to this one as read, on the server and on screen. */
export function useMarkReadMutation(conversationId: string) {
  const client = useQueryClient()
  const { id: me } = useMe()
  return useMutation({
    mutationFn: (until: Message) => markConversationRead(conversationId, until),
    onSuccess: (_answer, until) => {
      showAsRead(client, until, me)
      refetchUnread(client)
    },
    meta: { action: 'mark messages as read', isAutomatic: true },
  })
}

export type Reaction = (typeof REACTIONS)[number]

/** The reaction of a member as stored on the server; null for none. */
export function reactionOf(message: Message, memberId: string): string | null {
  return message.reactions.find(({ member_id }) => member_id === memberId)?.emoji ?? null
}

/** Stores the member's reaction: a row, which a second one changes. */
async function storeReaction(messageId: string, me: string, emoji: Reaction | null): Promise<void> {
  const own = { message_id: messageId, member_id: me }
  const reactions = supabase().from('message_reactions')
  if (emoji === null) {
    await unwrap(reactions.delete().match(own))
    return
  }
  try {
    await unwrap(reactions.insert({ ...own, emoji }))
  } catch (cause) {
    if (!isConflict(cause)) throw cause
    // Of one row, so that it is refused if the message was unsent meanwhile.
    await unwrap(reactions.update({ emoji }).match(own).select('emoji').single())
  }
}

/** Sets or removes the reaction to a message: optimistic, with a rollback. */
export function useReactMutation(message: Message) {
  const client = useQueryClient()
  const { id: me } = useMe()
  return useMutation({
    mutationKey: reactionKey(message.id),
    // In order: the last press wins.
    scope: { id: `react ${message.id}` },
    mutationFn: (reaction: Reaction | null) => storeReaction(message.id, me, reaction),
    onSuccess: (_answer, emoji) => {
      const known = findLoaded(client, message.conversation_id, message.id) ?? message
      const others = known.reactions.filter(({ member_id }) => member_id !== me)
      const own = emoji === null ? [] : [{ member_id: me, emoji }]
      upsertMessage(client, { ...known, reactions: [...others, ...own] })
    },
    meta: { action: 'react to message' },
  })
}

/** The member's own reaction, including a pending change. */
export function useOwnReaction(message: Message): string | null {
  const { id: me } = useMe()
  const pending = useMutationState<string | null>({
    filters: { mutationKey: reactionKey(message.id), status: 'pending' },
    select: ({ state }) => (typeof state.variables === 'string' ? state.variables : null),
  })
  const latest = pending.at(-1)
  return latest === undefined ? reactionOf(message, me) : latest
}

/** A message after a function of the server changed it, which returns nothing: docs/decisions/0111-short-writes.md. */
function readStored(id: string): Promise<StoredMessage> {
  return unwrap(supabase().from('messages').select(STORED_COLUMNS).eq('id', id).single())
}

const EDIT_KEY = ['edit message']

/** Returns a function that says whether an edit is being saved. */
export function useIsSavingEdit(): () => boolean {
  const client = useQueryClient()
  return () => client.isMutating({ mutationKey: EDIT_KEY }) > 0
}

function reasonOf(error: Error): string {
  return isKnownOffline(error) ? texts.connection.needed : error.message
}

/** Changes the text of an own message. The form is closed meanwhile, and a failure returns the text. */
export function useEditMutation() {
  const client = useQueryClient()
  const { id: me } = useMe()
  return useMutation({
    mutationKey: EDIT_KEY,
    // One after the other: the last text of a message stays.
    scope: { id: 'edit message' },
    mutationFn: async ({ message: { id }, content }: SavedEdit) => {
      await unwrap(supabase().rpc('edit_message', { message: id, content }))
      return readStored(id)
    },
    onSuccess: (message, saved) => {
      upsertMessage(client, message)
      applyToList(client, message, me)
      finishSaving(saved)
    },
    onError: (error, saved) => failSaving(saved, reasonOf(error)),
    meta: { action: 'edit message' },
  })
}

/** Unsends an own message: deletes its content for both members. */
export function useUnsendMutation() {
  const client = useQueryClient()
  const { id: me } = useMe()
  return useMutation({
    mutationFn: async ({ id }: Message) => {
      await unwrap(supabase().rpc('unsend_message', { message: id }))
      return readStored(id)
    },
    onSuccess: (message, { media_id }) => {
      const photo = client.getQueryData<PhotoRow | null>(messageKeys.photo(media_id ?? ''))
      void removeMedia([photo?.media_path, photo?.poster_path])
      upsertMessage(client, { ...message, reactions: [] })
      applyToList(client, message, me)
    },
    meta: { action: 'unsend message' },
  })
}

import { serverNow } from '#/renderer/lib/core/clock-store'
import { byTime, isAfterMark, type Mark } from '#/renderer/lib/live'
import { texts } from '#/renderer/lib/texts'
import { trimText } from '#/shared/visible-text'
import type { StoredMessage } from '../message'
import type { FolderOrNone } from './folders'
import { isUnreadBy, raised } from './history'
import type { SharedKind } from './shared'
import type { Delivery } from './timeline'

/** The other member of a conversation. */
export interface Correspondent {
  id: string
  username: string
  full_name: string
  avatar_url: string | null
  avatar_path: string | null
}

/** A conversation as one of its two members sees it. */
export interface Conversation {
  id: string
  /** Part of the name of its channel. It changes when somebody may no longer listen. */
  epoch: number
  /** Null while the other member is hidden, e.g. by a block: nobody can write then. */
  other: Correspondent | null
  otherId: string
  /**
   * Whether the other member has ever written here. Before that, their activity is hidden and the channel
   * refuses the member.
   */
  hasOtherWritten: boolean
  lastMessageAt: string
  latest: LatestMessage | null
  isUnread: boolean
  /** Up to where this member has read it. */
  mark: Mark
  /** Where this member lists it; the other member does not know. */
  folder: FolderOrNone
  isPinned: boolean
  /** This member's messages up to this time have reached a device of the other member. */
  deliveredAt: string | null
  /** Whether the conversation was deleted with the other member's account: only cached data is left. */
  isGone: boolean
}

/** Whether the two members can write to each other. */
export function isOpen({ other, isGone }: Pick<Conversation, 'other' | 'isGone'>): boolean {
  return other !== null && !isGone
}

/** Whether messages of a stranger wait here until the member accepts them. */
export function isRequest({ folder }: Pick<Conversation, 'folder'>): boolean {
  return folder === 'requests'
}

/**
 * A conversation that was deleted on the server, built from cached data. Its deletion counts as its latest
 * change.
 */
export function goneConversation(id: string, known: Conversation | null | undefined): Conversation {
  const nothing = {
    epoch: 0,
    other: null,
    otherId: '',
    hasOtherWritten: false,
    latest: null,
    mark: { mark_at: null, mark_id: null },
    folder: 'inbox' as const,
    deliveredAt: null,
  }
  if (known?.isGone) return known
  const lastMessageAt = new Date(serverNow()).toISOString()
  return { ...nothing, ...known, id, lastMessageAt, isUnread: false, isPinned: false, isGone: true }
}

/** The conversation's last message after a live event. */
function latestAfter(latest: LatestMessage | null, message: StoredMessage): LatestMessage | null {
  // An older version may arrive late: an unsent message stays unsent.
  if (latest?.id === message.id) return latest.deleted_at === null ? message : latest
  const isCurrent = latest === null || byTime(message, latest) > 0
  return isCurrent ? message : latest
}

/** Applies a sent message or a live event to its conversation. */
export function afterMessage(conversation: Conversation, message: StoredMessage, me: string): Conversation {
  // A message that got read tells this member's other devices that the mark has moved.
  const isRead = message.recipient_id === me && message.read
  const mark = isRead ? raised(conversation.mark, message) : conversation.mark
  return {
    ...conversation,
    latest: latestAfter(conversation.latest, message),
    ...(Date.parse(message.created_at) > Date.parse(conversation.lastMessageAt) && {
      lastMessageAt: message.created_at,
    }),
    hasOtherWritten: conversation.hasOtherWritten || message.sender_id === conversation.otherId,
    mark,
    isUnread: conversation.isUnread || isUnreadBy(message, me, mark),
  }
}

/** Raises the mark up to a message. */
export function afterMark(
  conversation: Conversation,
  until: Pick<StoredMessage, 'id' | 'created_at'>,
): Conversation {
  const { latest, otherId } = conversation
  const mark = raised(conversation.mark, until)
  const hasMore = latest !== null && latest.sender_id === otherId && isAfterMark(latest, mark)
  return { ...conversation, mark, isUnread: hasMore && conversation.isUnread }
}

/** The part of the last message that the list shows. */
export type LatestMessage = Pick<
  StoredMessage,
  'id' | 'sender_id' | 'content' | 'created_at' | 'deleted_at' | 'media_id' | 'answers_story' | 'shared_kind'
>

/** A message in one line, e.g. for quotes. */
export function summarize({
  content,
  deleted_at,
  media_id,
  shared_kind,
}: Pick<LatestMessage, 'content' | 'deleted_at' | 'media_id' | 'shared_kind'>): string {
  if (deleted_at !== null) return texts.messages.deleted
  const text = content.replace(/\s+/gu, ' ').trim()
  if (text !== '') return text
  if (media_id !== null) return texts.messages.preview.photo
  return shared_kind === null ? '' : texts.messages.shared[shared_kind as SharedKind].sent
}

/** The last message of a conversation in one line. */
export function previewText(latest: LatestMessage | null, me: string): string {
  const { preview } = texts.messages
  if (latest === null) return preview.none
  const isOwn = latest.sender_id === me
  if (latest.deleted_at !== null) return texts.messages.deleted
  if (latest.answers_story) return isOwn ? preview.answeredTheirStory : preview.answeredYourStory
  const line = summarize(latest)
  if (!isOwn) return line
  const isCardOnly = latest.shared_kind !== null && trimText(latest.content) === ''
  return isCardOnly ? texts.messages.shared[latest.shared_kind as SharedKind].sentByYou : preview.own(line)
}

/** The preview of a conversation: what needs attention, else the last message. */
export interface ListPreview {
  kind: 'said' | 'draft' | Exclude<Delivery, 'sent'>
  text: string
}

interface ListLineParts {
  latest: LatestMessage | null
  /** Own messages that the server has not stored yet, in the order they were sent. */
  outgoing: readonly { message: LatestMessage; delivery: Delivery }[]
  /** The text of the draft; may be empty. */
  draft: string
}

/** Order of precedence: a refused message, a draft, a pending message, the last message. */
export function listPreview({ latest, outgoing, draft }: ListLineParts, me: string): ListPreview {
  // Between the server's response and its removal from the outbox a message is in both.
  const unsent = outgoing.filter(({ message }) => message.id !== latest?.id)
  const refused = unsent.findLast(({ delivery }) => delivery === 'refused')
  if (refused === undefined && draft !== '')
    return { kind: 'draft', text: texts.messages.preview.draft(draft) }
  const last = refused ?? unsent.at(-1)
  if (last === undefined || last.delivery === 'sent') return { kind: 'said', text: previewText(latest, me) }
  return { kind: last.delivery, text: previewText(last.message, me) }
}

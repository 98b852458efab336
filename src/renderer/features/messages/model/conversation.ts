import { serverNow } from '#/renderer/lib/core/clock-store'
import { byTime, isAfterMark, type Mark } from '#/renderer/lib/live'
import { texts } from '#/renderer/lib/texts'
import { trimText } from '#/shared/visible-text'
import type { StoredMessage } from '../message'
import type { FolderOrNone } from './folders'
import { isUnreadBy, raised } from './history'
import type { SharedKind } from './shared'
import { lineOf } from './snippet'
import type { Delivery } from './timeline'

/** The other member of a conversation. */
export interface Correspondent {
  id: string
  username: string
  full_name: string
  avatar_url: string | null
  avatar_path: string | null
}

/** What a member sees of a pair and of a group. */
interface Listed {
  id: string
  /** Part of the name of its channel. It changes when somebody may no longer listen. */
  epoch: number
  lastMessageAt: string
  latest: LatestMessage | null
  isUnread: boolean
  /** Up to where this member has read it. */
  mark: Mark
  /** This member reads nothing older here, except own messages from before they joined once more. Missing: unknown. */
  readsFrom?: string | null
  /** Where this member lists it; the others do not know. */
  folder: FolderOrNone
  isPinned: boolean
  /**
   * Whether only cached data is left: the conversation was deleted with the other member's account, or this member is no longer in
   * the group.
   */
  isGone: boolean
}

/** A conversation of two members, as one of them sees it. */
export interface Pair extends Listed {
  kind: 'pair'
  /** Null while the other member is hidden, e.g. by a block: nobody can write then. */
  other: Correspondent | null
  otherId: string
  /**
   * Whether the other member has ever written here. Before that, their activity is hidden and the channel
   * refuses the member.
   */
  hasOtherWritten: boolean
  /** This member's messages up to this time have reached a device of the other member. */
  deliveredAt: string | null
}

/** A group as one of its members sees it, or who is invited. */
export interface Group extends Listed {
  kind: 'group'
  name: string
  picturePath: string | null
  /** Whether this member is in it. */
  writes: boolean
}

export type Conversation = Pair | Group

/** Whether this member can write there. */
export function isOpen(conversation: Conversation): boolean {
  if (conversation.isGone) return false
  return conversation.kind === 'pair' ? conversation.other !== null : conversation.writes
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
  if (known?.isGone) return known
  const nothing = {
    kind: 'pair' as const,
    epoch: 0,
    other: null,
    otherId: '',
    hasOtherWritten: false,
    latest: null,
    mark: { mark_at: null, mark_id: null },
    folder: 'inbox' as const,
    deliveredAt: null,
  }
  const lastMessageAt = new Date(serverNow()).toISOString()
  return { ...(known ?? nothing), id, lastMessageAt, isUnread: false, isPinned: false, isGone: true }
}

/** From when on a member reads a conversation: after what they deleted, and from joining on. */
export function readsFromOf(
  view: { cleared_at: string | null; reads_after: string } | undefined,
): string | null {
  const times = [view?.cleared_at, view?.reads_after].filter((time) => !Number.isNaN(Date.parse(time ?? '')))
  return times.sort().at(-1) ?? null
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
  const isRead = message.sender_id !== me && message.read
  const mark = isRead ? raised(conversation.mark, message) : conversation.mark
  return {
    ...conversation,
    ...(conversation.kind === 'pair' &&
      message.sender_id === conversation.otherId && { hasOtherWritten: true }),
    latest: latestAfter(conversation.latest, message),
    ...(Date.parse(message.created_at) > Date.parse(conversation.lastMessageAt) && {
      lastMessageAt: message.created_at,
    }),
    mark,
    isUnread: conversation.isUnread || isUnreadBy(message, me, mark),
  }
}

/** Raises the mark up to a message. */
export function afterMark(
  conversation: Conversation,
  until: Pick<StoredMessage, 'id' | 'created_at'>,
  me: string,
): Conversation {
  const { latest } = conversation
  const mark = raised(conversation.mark, until)
  const hasMore = latest !== null && latest.sender_id !== me && isAfterMark(latest, mark)
  return { ...conversation, mark, isUnread: hasMore && conversation.isUnread }
}

/** The part of the last message that the list shows. */
export type LatestMessage = Pick<
  StoredMessage,
  'id' | 'sender_id' | 'content' | 'created_at' | 'deleted_at' | 'media_id' | 'answers_story' | 'shared_kind'
>

/** A message in one line. */
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

/** The beginning of a message in one line, e.g. for quotes. */
export function previewOf(message: Parameters<typeof summarize>[0]): string {
  return lineOf(summarize(message))
}

/**
 * The last message of a conversation in one line.
 *
 * @param writer the name of who wrote it, in a group; empty while it is not known
 */
export function previewText(latest: LatestMessage | null, me: string, writer = ''): string {
  const { preview } = texts.messages
  if (latest === null) return preview.none
  const isOwn = latest.sender_id === me
  if (latest.deleted_at !== null) return texts.messages.deleted
  if (latest.answers_story) return isOwn ? preview.answeredTheirStory : preview.answeredYourStory
  const line = previewOf(latest)
  if (!isOwn) return writer === '' ? line : texts.messages.saidBy(writer, line)
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
  /** See `previewText`. */
  writer: string
}

/** Who wrote the last message of a group, whom the list names; null for pairs and for this member. */
export function writerOf({ kind, latest }: Conversation, me: string): string | null {
  return kind === 'pair' || latest === null || latest.sender_id === me ? null : latest.sender_id
}

/** Order of precedence: a refused message, a draft, a pending message, the last message. */
export function listPreview({ latest, outgoing, draft, writer }: ListLineParts, me: string): ListPreview {
  // Between the server's response and its removal from the outbox a message is in both.
  const unsent = outgoing.filter(({ message }) => message.id !== latest?.id)
  const refused = unsent.findLast(({ delivery }) => delivery === 'refused')
  if (refused === undefined && draft !== '')
    return { kind: 'draft', text: texts.messages.preview.draft(draft) }
  const last = refused ?? unsent.at(-1)
  if (last === undefined || last.delivery === 'sent')
    return { kind: 'said', text: previewText(latest, me, writer) }
  return { kind: last.delivery, text: previewText(last.message, me) }
}

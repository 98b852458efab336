import { texts } from '#/renderer/lib/texts'
import type { Message } from './message'
import type { Delivery } from './timeline'

/** What a list shows of a conversation's last message. */
export type LatestMessage = Pick<
  Message,
  'id' | 'sender_id' | 'content' | 'created_at' | 'deleted_at' | 'photo_id' | 'answers_story'
>

/** What a message says in one line, e.g. where it is quoted. */
export function lineOf({
  content,
  deleted_at,
  photo_id,
}: Pick<LatestMessage, 'content' | 'deleted_at' | 'photo_id'>): string {
  if (deleted_at !== null) return texts.messages.deleted
  const text = content.replace(/\s+/gu, ' ').trim()
  return text === '' && photo_id !== null ? texts.messages.preview.photo : text
}

/** A conversation's last message in one line, as the list shows it. */
export function previewOf(latest: LatestMessage | null, me: string): string {
  const { preview } = texts.messages
  if (latest === null) return preview.none
  const isOwn = latest.sender_id === me
  if (latest.deleted_at !== null) return texts.messages.deleted
  if (latest.answers_story) return isOwn ? preview.answeredTheirStory : preview.answeredYourStory
  return isOwn ? preview.own(lineOf(latest)) : lineOf(latest)
}

/** What the list says of a conversation: what one has to see to, else what was said last. */
export interface ListLine {
  kind: 'said' | 'draft' | Exclude<Delivery, 'sent'>
  text: string
}

interface ListLineParts {
  latest: LatestMessage | null
  /** One's own that are not on the server, in the order they were sent. */
  outgoing: readonly { message: LatestMessage; delivery: Delivery }[]
  /** What is begun; empty for nothing. */
  draft: string
}

/** A message that was refused is on top of what is begun, and that of what is on its way. */
export function listLine({ latest, outgoing, draft }: ListLineParts, me: string): ListLine {
  // Between the server's answer and its being taken out of the queue a message is in both.
  const unsent = outgoing.filter(({ message }) => message.id !== latest?.id)
  const refused = unsent.findLast(({ delivery }) => delivery === 'refused')
  if (refused === undefined && draft !== '')
    return { kind: 'draft', text: texts.messages.preview.draft(draft) }
  const last = refused ?? unsent.at(-1)
  if (last === undefined || last.delivery === 'sent') return { kind: 'said', text: previewOf(latest, me) }
  return { kind: last.delivery, text: previewOf(last.message, me) }
}

import type { NewMessage } from './sending'

/** A message that was sent, and of which no answer came: the server may have it or not. */
export interface Attempt {
  id: string
  content: string
  replyToId: string | null
  photoId: string | null
}

/** What a message says, apart from its id. */
type Words = Pick<NewMessage, 'content' | 'reply_to_id' | 'photo'>

/** The sending of a message, as it is remembered. */
export function attemptOf({ id, content, reply_to_id, photo }: Words & { id: string }): Attempt {
  return { id, content, replyToId: reply_to_id ?? null, photoId: photo?.id ?? null }
}

/** Whether a message is just the one that was sent: under the same id it cannot be there twice. */
export function isSame({ content, reply_to_id, photo }: Words, attempt: Attempt): boolean {
  return (
    content === attempt.content &&
    (reply_to_id ?? null) === attempt.replyToId &&
    (photo?.id ?? null) === attempt.photoId
  )
}

/** What is left to say of a message, given that the server has what was sent before; null when nothing is. */
export function withoutDelivered<M extends Words>(message: M, delivered: Attempt): M | null {
  const { reply_to_id, photo, ...rest } = message
  const { content } = message
  const isRepeated = content === delivered.content || content.startsWith(`${delivered.content}\n`)
  const isAnswerTaken = isRepeated && reply_to_id === (delivered.replyToId ?? undefined)
  const left = {
    ...rest,
    content: isRepeated ? content.slice(delivered.content.length).trim() : content,
    ...(reply_to_id !== undefined && !isAnswerTaken && { reply_to_id }),
    ...(photo !== undefined && photo.id !== delivered.photoId && { photo }),
  } as M
  return left.content === '' && left.photo === undefined ? null : left
}

/** What was kept on disk, if it is an attempt. */
export function toAttempt(value: unknown): Attempt | null {
  if (typeof value !== 'object' || value === null) return null
  const { id, content, replyToId, photoId }: { [K in keyof Attempt]?: unknown } = value
  if (typeof id !== 'string' || typeof content !== 'string') return null
  return {
    id,
    content,
    replyToId: typeof replyToId === 'string' ? replyToId : null,
    photoId: typeof photoId === 'string' ? photoId : null,
  }
}

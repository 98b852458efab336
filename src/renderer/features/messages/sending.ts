import { create } from 'zustand'
import { connection } from '#/renderer/lib/live'
import { logFailure } from '#/renderer/lib/logger'
import { finishBeforeQuitting } from '#/renderer/lib/under-way'
import { type Attempt, attemptOf, isSame, withoutDelivered } from './attempt'
import { isDelivered } from './delivered'
import { clearDraftExtras, holdDraftExtras, restoreDraftExtras } from './draft-extras'
import type { Draft } from './draft-storage'
import { draftKey, holdDraft, isHere, joinTexts, restoreDraft, takeDraft, useDraftKey } from './drafts'
import { type OutgoingPhoto, sendMessage, takeRefusedMessage } from './outbox'

/** A message as it leaves the field. */
export interface NewMessage {
  id: string
  conversation_id: string
  content: string
  created_at: string
  reply_to_id?: string
  photo?: OutgoingPhoto
}

/** One that waits its turn, or is under way. */
interface Queued extends NewMessage {
  /** Another one that some of it was sent as before, without an answer. */
  earlier?: Attempt
  /** The outbox has it on disk. */
  isKept?: true
}

/** What has no answer yet, by the key of its draft, in the order it was sent. */
const useSendingStore = create<Readonly<Record<string, readonly Queued[]>>>(() => ({}))

const NONE: readonly Queued[] = []

/** Messages of a conversation that have no answer yet. */
export function useSending(conversationId: string): readonly NewMessage[] {
  const key = useDraftKey(conversationId)
  return useSendingStore((state) => state[key] ?? NONE)
}

function getQueue(key: string): readonly Queued[] {
  return useSendingStore.getState()[key] ?? NONE
}

/** What is in a queue as it would be in the field. Of all that is in it only the first may have been sent. */
function toDraft(queue: readonly Queued[]): Draft | null {
  const [first] = queue
  if (first === undefined) return null
  return {
    text: joinTexts(...queue.map(({ content }) => content)),
    attempt: first.earlier ?? attemptOf(first),
  }
}

/** What goes with the text of a queue, as it would in the field. */
function extrasOf(queue: readonly Queued[]) {
  return {
    replyToId: queue[0]?.reply_to_id ?? null,
    photo: queue.find(({ photo }) => photo !== undefined)?.photo ?? null,
  }
}

function setQueue(key: string, queue: readonly Queued[]): void {
  useSendingStore.setState({ [key]: queue })
  // What the outbox keeps is sent from there should the app end now: it must not come back to the field as well.
  const held = queue.filter(({ isKept }) => isKept === undefined)
  holdDraft(key, toDraft(held))
  holdDraftExtras(key, held.length === 0 ? null : extrasOf(held))
}

/** Puts what could not be sent back into the field, in its order, before what was typed since. */
function restore(key: string): void {
  const queue = getQueue(key)
  const draft = toDraft(queue)
  setQueue(key, NONE)
  if (draft === null) return
  restoreDraft(key, draft)
  if (!isHere(key)) return
  restoreDraftExtras(key, extrasOf(queue))
}

/** Whether the server has what was sent before; null while that cannot be asked, since the connection is known to be lost. */
async function lookFor({ id }: Attempt): Promise<boolean | null> {
  const isLost = () => connection.getState().state === 'lost'
  if (isLost()) return null
  try {
    return await isDelivered(id)
  } catch (cause) {
    if (isLost()) return null
    throw cause
  }
}

/** Sends the first of a queue: all of it, or what the server does not have of it yet. Throws an `AppError`. */
async function sendFirst(key: string, first: Queued): Promise<void> {
  const { earlier, ...whole } = first
  const isThere = earlier === undefined ? false : await lookFor(earlier)
  // The outbox asks when it can.
  const left = isThere === null ? first : isThere && earlier ? withoutDelivered(whole, earlier) : whole
  if (left === null) return
  // From here on it is this one that the server may have.
  setQueue(key, [left, ...getQueue(key).slice(1)])
  const { created_at: _here, ...draft } = left
  await sendMessage(draft, () => setQueue(key, [{ ...left, isKept: true }, ...getQueue(key).slice(1)]))
}

/** Puts a message that the server refused back into the field, before what was typed since (MSG-09). */
export async function editRefused(id: string): Promise<void> {
  const refused = await takeRefusedMessage(id)
  if (refused === null) return
  const key = draftKey(refused.conversation_id)
  restoreDraft(key, { text: refused.content, attempt: null })
  restoreDraftExtras(key, { replyToId: refused.reply_to_id ?? null, photo: refused.photo ?? null })
}

/**
 * Sends what is in the field of a conversation, after what was sent before it. When the server refuses it, it and
 * what waits behind it go back into the field (MSG-04), and `onFailed` is called; while it is not known whether the
 * server has it, the outbox does (MSG-09). All that happens where it was written: for that member, on that server.
 */
export async function send(
  message: Omit<NewMessage, 'id' | 'created_at'>,
  onFailed: () => void,
): Promise<void> {
  const key = draftKey(message.conversation_id)
  const attempt = takeDraft(key)
  clearDraftExtras(key)
  const isAgain = attempt !== null && isSame(message, attempt)
  const isRunning = getQueue(key).length > 0
  setQueue(key, [
    ...getQueue(key),
    {
      ...message,
      id: isAgain ? attempt.id : crypto.randomUUID(),
      created_at: new Date().toISOString(),
      ...(attempt !== null && !isAgain && { earlier: attempt }),
    },
  ])
  if (!isRunning) await finishBeforeQuitting(sendAll(key, onFailed))
}

/** Sends what is in a queue, one after the other. */
async function sendAll(key: string, onFailed: () => void): Promise<void> {
  for (let next = getQueue(key)[0]; next !== undefined; next = getQueue(key)[0]) {
    // Somebody else is signed in: these are not theirs to send.
    if (!isHere(key)) return restore(key)
    try {
      await sendFirst(key, next)
      setQueue(key, getQueue(key).slice(1))
    } catch (cause) {
      logFailure('send message', cause)
      restore(key)
      onFailed()
    }
  }
}

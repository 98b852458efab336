import type { StoreApi } from 'zustand'
import { type AppError, type ErrorCode, toAppError } from '#/renderer/lib/errors'
import { logFailure } from '#/renderer/lib/logger'
import { inOrder, type OutboxStore } from './store'
import type { MessageDraft, OutgoingMessage } from './types'

/** What the outbox needs of the world around it. */
export interface OutboxParts {
  store: OutboxStore
  /** What screens show: what is kept, and what is being sent. */
  shown: StoreApi<readonly OutgoingMessage[]>
  /** Sends one; resolves when the server has it, also when it had it before. Rejects with what went wrong. */
  send: (message: OutgoingMessage) => Promise<void>
  /** Whether the connection is known to be lost. */
  isLost: () => boolean
  /** Runs one at a time, over all windows of this member; later ones wait. */
  alone: (work: () => Promise<void>) => Promise<void>
  /** Tells the member's other windows that what is kept has changed. */
  tellOthers: () => void
}

/** The messages of one member that are on their way. */
export interface Outbox {
  /** Sends, or keeps until the connection is back. Rejects with an `AppError` when sending failed: nothing is kept then. */
  submit: (draft: MessageDraft) => Promise<'sent' | 'waiting'>
  /** Sends what waits, in order; what the server refuses stays with its reason. */
  drain: () => Promise<void>
  retry: (id: string) => Promise<void>
  discard: (id: string) => Promise<void>
  /** The server has it, whoever told. */
  acknowledge: (id: string) => Promise<void>
  /** Reads anew what is kept. */
  reload: () => Promise<void>
  /** From now on nothing is sent or shown; what is kept stays. */
  close: () => void
}

/** Whether trying again can help without the member doing anything about it. */
const PASSING: ReadonlySet<ErrorCode> = new Set(['offline', 'server', 'rate-limited', 'session-expired'])

export function createOutbox({ store, shown, send, isLost, alone, tellOthers }: OutboxParts): Outbox {
  const all = (): readonly OutgoingMessage[] => shown.getState()
  let isClosed = false
  let latest = 0
  /** The time now, later than any given before: it is what messages are put in order by. */
  const stamp = (): string => {
    latest = Math.max(Date.now(), latest + 1)
    return new Date(latest).toISOString()
  }
  /** Sent without being kept: shown as on their way, and gone when that fails. */
  const direct = new Map<string, OutgoingMessage>()

  const lines = new Map<string, Promise<void>>()
  /** Sends one after the other within a conversation, whichever way they came here. */
  const sendInLine = (message: OutgoingMessage): Promise<void> => {
    const { conversation_id: line } = message
    const before = lines.get(line) ?? Promise.resolve()
    const mine = before.catch(() => undefined).then(() => send(message))
    lines.set(line, mine)
    const leave = () => {
      if (lines.get(line) === mine) lines.delete(line)
    }
    mine.then(leave, leave)
    return mine
  }

  const set = (messages: readonly OutgoingMessage[]) => {
    if (!isClosed) shown.setState(inOrder(messages), true)
  }
  const show = (message: OutgoingMessage) => {
    const others = all().filter(({ id }) => id !== message.id)
    set([...others, message])
  }
  const hide = (id: string) => {
    const others = all().filter((message) => message.id !== id)
    if (others.length < all().length) set(others)
  }
  const keep = async (message: OutgoingMessage) => {
    await store.save(message)
    show(message)
    tellOthers()
  }
  const forget = async (id: string) => {
    await store.remove(id)
    hide(id)
    tellOthers()
  }
  const reload = async () => {
    set([...(await store.load()), ...direct.values()])
  }

  /** Sends one that is kept; false when it is not worth going on with the others now. */
  const sendKept = async (message: OutgoingMessage): Promise<boolean> => {
    show({ ...message, state: 'sending' })
    try {
      await sendInLine(message)
    } catch (cause) {
      const error = toAppError(cause)
      // Closed meanwhile: it was no longer this member who asked.
      if (isClosed || PASSING.has(error.code)) {
        show(message)
        return false
      }
      logFailure('send kept message', error)
      await keep({ ...message, state: 'refused', reason: error.message })
      return true
    }
    await forget(message.id)
    return true
  }

  /** Sends what waits. The store is asked each time: another window may have sent or discarded the next one. */
  const sendAll = async (): Promise<void> => {
    await reload()
    for (;;) {
      const next = (await store.load()).find(({ state }) => state === 'waiting')
      if (isClosed || next === undefined || !(await sendKept(next))) return
    }
  }

  let draining: Promise<void> | null = null
  let isAskedAgain = false
  const drain = (): Promise<void> => {
    // The one under way may just have seen that nothing is left.
    isAskedAgain = draining !== null
    draining ??= alone(sendAll).finally(() => {
      draining = null
      return isAskedAgain ? drain() : undefined
    })
    return draining
  }

  const sendNow = async (message: OutgoingMessage): Promise<void> => {
    const onItsWay: OutgoingMessage = { ...message, state: 'sending' }
    direct.set(message.id, onItsWay)
    show(onItsWay)
    try {
      await sendInLine(message)
    } catch (cause) {
      throw toAppError(cause) satisfies AppError
    } finally {
      direct.delete(message.id)
      hide(message.id)
    }
  }

  return {
    drain,
    reload,
    close: () => {
      isClosed = true
    },
    submit: async (draft) => {
      const message: OutgoingMessage = {
        ...draft,
        id: draft.id ?? crypto.randomUUID(),
        created_at: stamp(),
        state: 'waiting',
      }
      const isBehindKept = all().some(
        (other) => other.conversation_id === message.conversation_id && other.state !== 'refused',
      )
      if (!isLost() && !isBehindKept) {
        await sendNow(message)
        return 'sent'
      }
      await keep(message)
      if (!isLost()) void drain()
      return 'waiting'
    },
    retry: async (id) => {
      const refused = all().find((message) => message.id === id && message.state === 'refused')
      if (refused === undefined) return
      const { reason: _reason, ...message } = refused
      await keep({ ...message, state: 'waiting' })
      if (!isLost()) await drain()
    },
    discard: async (id) => {
      const message = all().find((each) => each.id === id)
      // One that is being sent can no longer be held back.
      if (message !== undefined && message.state !== 'sending') await forget(id)
    },
    acknowledge: async (id) => {
      if (all().some((message) => message.id === id && !direct.has(id))) await forget(id)
    },
  }
}

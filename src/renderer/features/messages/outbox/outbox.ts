import type { StoreApi } from 'zustand'
import { AppError, type ErrorCode, toAppError } from '#/renderer/lib/errors'
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
  /**
   * Sends, or keeps until the connection is back, also when that is lost on the way. Rejects with an `AppError` when
   * sending failed otherwise: nothing is kept then.
   */
  submit: (draft: MessageDraft) => Promise<'sent' | 'waiting'>
  /** Sends what waits, in the order of each conversation; what the server refuses stays with its reason. */
  drain: () => Promise<void>
  retry: (id: string) => Promise<void>
  /** Throws away what waits or was refused. */
  discard: (id: string) => Promise<void>
  /** The server has it, whoever told. */
  acknowledge: (id: string) => Promise<void>
  /** Reads anew what is kept. */
  reload: () => Promise<void>
  /** From now on nothing is sent or shown; what is kept stays. */
  close: () => void
}

/** Says nothing about the message: none would get through now. */
const NOTHING_GOES: ReadonlySet<ErrorCode> = new Set(['offline', 'session-expired'])
/** Trying again can help without the member doing anything about it. */
const PASSING: ReadonlySet<ErrorCode> = new Set([...NOTHING_GOES, 'server', 'rate-limited'])

type Outcome = 'settled' | 'waits' | 'nothing-goes'

export function createOutbox({ store, shown, send, isLost, alone, tellOthers }: OutboxParts): Outbox {
  const all = (): readonly OutgoingMessage[] => shown.getState()
  let isClosed = false
  let latest = 0
  /** The time now, later than that of all others: it is what messages are put in order by, and clocks are set back. */
  const stamp = (): string => {
    latest = Math.max(Date.now(), latest + 1)
    return new Date(latest).toISOString()
  }
  const load = async (): Promise<OutgoingMessage[]> => {
    const kept = await store.load()
    for (const { created_at } of kept) latest = Math.max(latest, Date.parse(created_at))
    return kept
  }
  /** Sent without being kept: shown as on their way, and gone when that fails. */
  const direct = new Map<string, OutgoingMessage>()
  /** Of those, what was told live to be there: should the answer itself be lost, nothing is wrong. */
  const arrived = new Set<string>()
  /** What is kept and being sent. */
  const underWay = new Set<string>()

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
  const tell = () => {
    if (!isClosed) tellOthers()
  }
  const keep = async (message: OutgoingMessage) => {
    await store.save(message)
    show(message)
    tell()
  }
  const forget = async (id: string) => {
    await store.remove(id)
    hide(id)
    tell()
  }
  const reload = async () => {
    const kept = (await load()).map((message) =>
      underWay.has(message.id) ? ({ ...message, state: 'sending' } as const) : message,
    )
    set([...kept, ...direct.values()])
  }
  // What is written now goes behind what was kept when the app was last closed: that has to be known first.
  const opened = reload().catch((cause: unknown) => logFailure('open outbox', cause))

  /** Sends one that is kept. */
  const sendKept = async (message: OutgoingMessage): Promise<Outcome> => {
    underWay.add(message.id)
    show({ ...message, state: 'sending' })
    try {
      await sendInLine(message)
    } catch (cause) {
      underWay.delete(message.id)
      const error = toAppError(cause)
      // Closed meanwhile: it was no longer this member who asked.
      if (isClosed) return 'nothing-goes'
      await reload()
      // Told live to be there although the answer was lost, or thrown away in another window.
      if (all().every(({ id }) => id !== message.id)) return 'settled'
      if (NOTHING_GOES.has(error.code)) return 'nothing-goes'
      if (PASSING.has(error.code)) return 'waits'
      logFailure('send kept message', error)
      await keep({ ...message, state: 'refused', reason: error.message })
      return 'settled'
    }
    underWay.delete(message.id)
    // Also where the disk does not let it go: sent again, it is the same message.
    hide(message.id)
    await forget(message.id)
    return 'settled'
  }

  /** Sends what waits. The store is asked each time: another window may have sent or discarded the next one. */
  const sendAll = async (): Promise<void> => {
    await reload()
    /** Conversations whose next message has to wait on: those behind it stay behind it. */
    const stuck = new Set<string>()
    for (;;) {
      const next = (await load()).find(
        ({ state, conversation_id }) => state === 'waiting' && !stuck.has(conversation_id),
      )
      if (isClosed || next === undefined) return
      const outcome = await sendKept(next)
      if (outcome === 'nothing-goes') return
      if (outcome === 'waits') stuck.add(next.conversation_id)
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
      if (!arrived.has(message.id)) throw toAppError(cause) satisfies AppError
    } finally {
      direct.delete(message.id)
      arrived.delete(message.id)
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
      await opened
      if (isClosed) throw new AppError('session-expired', '', 'send message')
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
        try {
          await sendNow(message)
          return 'sent'
        } catch (cause) {
          // Waiting for its answer showed that the connection is lost: so it waits like those written now. It has its id.
          if (isClosed || !isLost() || toAppError(cause).code !== 'offline') throw cause
        }
      }
      await keep(message)
      if (!isLost()) drain().catch((cause: unknown) => logFailure('outbox', cause))
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
      if (direct.has(id)) arrived.add(id)
      else if (all().some((message) => message.id === id)) await forget(id)
    },
  }
}

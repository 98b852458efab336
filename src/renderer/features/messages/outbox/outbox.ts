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
  windowId: string
  /** The ids of the windows that are open, this one among them. */
  livingWindows: () => Promise<ReadonlySet<string>>
}

/** The messages of one member that are on their way. */
export interface Outbox {
  /**
   * Sends a message. It waits and is sent again, under its id, while the connection is lost and after any failure that
   * does not say whether the server has it. Rejects with an `AppError` when the server refuses it: nothing is kept then.
   *
   * @param onKept called once the message is on disk, before it is sent: from then on it outlives the window
   */
  submit: (draft: MessageDraft, onKept?: () => void) => Promise<'sent' | 'waiting'>
  /** Sends what waits, in the order of each conversation; what the server refuses stays with its reason. */
  drain: () => Promise<void>
  retry: (id: string) => Promise<void>
  /** Throws away what waits or was refused. */
  discard: (id: string) => Promise<void>
  /** Removes a refused message and returns it, to be edited; null when it is not refused any more. */
  takeRefused: (id: string) => Promise<OutgoingMessage | null>
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

/** Whether the server may have the message although sending it failed: it did not answer itself. */
function mayHaveArrived({ code, serverStatus }: AppError): boolean {
  return code === 'offline' || (code === 'server' && serverStatus === undefined)
}

type Outcome = 'settled' | 'waits' | 'nothing-goes'

export function createOutbox({
  store,
  shown,
  send,
  isLost,
  alone,
  tellOthers,
  windowId,
  livingWindows,
}: OutboxParts): Outbox {
  const all = (): readonly OutgoingMessage[] => shown.getState()
  let isClosed = false
  let latest = 0
  /** The time now, later than that of all others: it is what messages are put in order by, and clocks are set back. */
  const stamp = (): string => {
    latest = Math.max(Date.now(), latest + 1)
    return new Date(latest).toISOString()
  }
  const load = async (): Promise<OutgoingMessage[]> => {
    const [kept, living] = await Promise.all([store.load(), livingWindows()])
    for (const { created_at } of kept) latest = Math.max(latest, Date.parse(created_at))
    const isBeingSent = ({ id, sentBy = '' }: OutgoingMessage) =>
      sentBy === windowId ? direct.has(id) : living.has(sentBy)
    // Its window went before there was an answer.
    const released = (message: OutgoingMessage): OutgoingMessage =>
      message.state === 'sending' && !isBeingSent(message) ? { ...message, state: 'waiting' } : message
    return kept.map(released)
  }
  /** Being sent for the first time: gone from the outbox when the server refuses them. */
  const direct = new Map<string, OutgoingMessage>()
  /** Of those, what was told live to be there: should the answer itself be lost, nothing is wrong. */
  const arrived = new Set<string>()
  /** What is kept and being sent. */
  const underWay = new Set<string>()

  const lines = new Map<string, Promise<void>>()
  /** Sends one after the other within a conversation, whichever way they came here. */
  const sendInLine = (
    message: OutgoingMessage,
    prepare: () => Promise<void> = async () => undefined,
  ): Promise<void> => {
    const { conversation_id: line } = message
    const before = lines.get(line) ?? Promise.resolve()
    const mine = before
      .catch(() => undefined)
      .then(prepare)
      .then(() => send(message))
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
    set([...kept.filter(({ id }) => !direct.has(id)), ...direct.values()])
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
      // A 500 is what the server makes of this message; a 503 says that it is busy.
      if (PASSING.has(error.code) && error.serverStatus !== 500) return 'waits'
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

  /** Whether a failed send leaves open if the server has the message. */
  const isAmbiguous = (error: AppError) =>
    // Signed out meanwhile: every failure reads as an ended session then.
    mayHaveArrived(error) || (isClosed && error.code === 'session-expired')

  const sendNow = async (message: OutgoingMessage, onKept: () => void): Promise<'sent' | 'waiting'> => {
    const { id } = message
    const onItsWay: OutgoingMessage = { ...message, state: 'sending', sentBy: windowId }
    let isKept = false
    const tryToKeep = async () => {
      try {
        await keep(onItsWay)
        isKept = true
        onKept()
      } catch (cause) {
        logFailure('keep message', cause)
      }
    }
    direct.set(id, onItsWay)
    show(onItsWay)
    let failure: AppError | null = null
    try {
      await sendInLine(message, tryToKeep)
    } catch (cause) {
      if (!arrived.has(id)) failure = toAppError(cause)
    }
    direct.delete(id)
    arrived.delete(id)
    if (failure !== null && isKept && isAmbiguous(failure)) {
      logFailure('send message', failure)
      // Closed, it stays on disk as it is, unless its account is gone: the next outbox finds that nobody sends it.
      if (!isClosed) await keep(message)
      return 'waiting'
    }
    hide(id)
    // One that stays on disk is sent again under its id: it is the same message.
    if (isKept) await forget(id).catch((cause: unknown) => logFailure('forget message', cause))
    if (failure !== null) throw failure
    return 'sent'
  }

  return {
    drain,
    reload,
    close: () => {
      isClosed = true
    },
    submit: async (draft, onKept = () => undefined) => {
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
      if (!isLost() && !isBehindKept) return sendNow(message, onKept)
      await keep(message)
      onKept()
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
    takeRefused: async (id) => {
      const refused = all().find((message) => message.id === id && message.state === 'refused')
      if (refused === undefined) return null
      await forget(id)
      return refused
    },
    acknowledge: async (id) => {
      if (direct.has(id)) arrived.add(id)
      else if (all().some((message) => message.id === id)) await forget(id)
    },
  }
}

import type { StoreApi } from 'zustand'
import { AppError, type ErrorCode, toAppError } from '#/renderer/lib/errors'
import { logFailure } from '#/renderer/lib/logger'
import { inOrder, type NewRow, type OutboxRow } from './row'
import type { OutboxStore } from './store'

/** How the first attempt to send a row ended, as it is broadcast to other windows. */
export interface Settled {
  id: string
  refusal: { code: ErrorCode; message: string } | null
}

export interface OutboxParts {
  store: OutboxStore
  /** The rows that screens show. */
  shown: StoreApi<readonly OutboxRow[]>
  /** Sends a row; resolves when the server has stored it, now or earlier. Rejects with an `AppError`. */
  send: (row: OutboxRow) => Promise<void>
  /** Puts rows back to where they were written. */
  onRefused: (rows: readonly OutboxRow[], error: AppError) => void
  /** What the log calls sending a row. */
  actionOf: (row: OutboxRow) => string
  /** Whether the connection is known to be lost. */
  isLost: () => boolean
  /** Runs one `work` per scope at a time, over all windows of this member. */
  withLock: (scope: string, work: () => Promise<void>) => Promise<void>
  /** Tells the member's other windows that rows have changed, and how one was settled. */
  broadcast: (settled?: Settled) => void
}

/** The unsent rows of one member on one server. */
export interface Outbox {
  /**
   * Persists a row, then sends it after the rows of its scope before it. While the connection is lost, and after a failure that
   * leaves open whether the server has stored it, the row waits. Rejects with an `AppError` when the server refuses it; by then
   * `onRefused` has put it back, with the rows sent after it, whose order would change.
   */
  submit: (kind: string, row: NewRow<unknown>) => Promise<'sent' | 'waiting'>
  /** Sends the waiting rows. */
  drain: () => Promise<void>
  retry: (id: string) => Promise<void>
  /** Removes a row, unless it is being sent. Returns it; null when there is none. */
  discard: (id: string) => Promise<OutboxRow | null>
  /** The server has stored it, as a live event says. */
  markDelivered: (id: string) => Promise<void>
  /** Another window has changed rows. */
  handleBroadcast: (settled?: Settled) => Promise<void>
  /** From now on nothing is sent or shown; the rows stay stored. */
  close: () => void
}

/** After these failures a queued row is sent again without the member doing anything. */
const TRANSIENT: ReadonlySet<ErrorCode> = new Set(['offline', 'session-expired', 'server', 'rate-limited'])

/** Whether the server may have stored a row although sending it failed: it did not answer itself. */
function mayHaveArrived({ code, serverStatus }: AppError): boolean {
  return code === 'offline' || (code === 'server' && serverStatus === undefined)
}

/** Whether to send a queued row again. A 500 is what the server makes of this row; a 503 says that it is busy. */
function isTransient({ code, serverStatus }: AppError): boolean {
  return TRANSIENT.has(code) && serverStatus !== 500
}

interface Waiter {
  resolve: (state: 'sent' | 'waiting') => void
  reject: (error: AppError) => void
}

export function createOutbox(parts: OutboxParts): Outbox {
  const { store, shown, send, onRefused, actionOf, isLost, withLock, broadcast } = parts
  let isClosed = false
  let latest = 0
  /** Who waits for the first attempt to send a row, by its id. */
  const waiters = new Map<string, Waiter>()
  /** Rows that are not stored yet, or cannot be because the disk is full. */
  const unsaved = new Map<string, OutboxRow>()
  /** Rows that are being sent by this window. */
  const inFlight = new Set<string>()
  /** Rows that left the outbox: a load that began before must not show them again. */
  const removed = new Set<string>()

  /** The time now, later than that of all other rows: rows are ordered by it, and clocks are set back. */
  const stamp = (): string => {
    latest = Math.max(Date.now(), latest + 1)
    return new Date(latest).toISOString()
  }
  const set = (rows: readonly OutboxRow[]) => {
    if (!isClosed) shown.setState(inOrder(rows.filter(({ id }) => !removed.has(id))), true)
  }
  const show = (row: OutboxRow) => set([...shown.getState().filter(({ id }) => id !== row.id), row])
  const tell = (settled?: Settled) => {
    if (!isClosed) broadcast(settled)
  }
  const load = async (): Promise<OutboxRow[]> => {
    const stored = await store.load()
    for (const { createdAt } of stored) latest = Math.max(latest, Date.parse(createdAt))
    return inOrder([...stored.filter(({ id }) => !unsaved.has(id)), ...unsaved.values()])
  }
  /** Shows the stored rows, and returns them. */
  const reload = async (): Promise<OutboxRow[]> => {
    const rows = await load()
    set(rows.map((row) => (inFlight.has(row.id) ? { ...row, state: 'sending' } : row)))
    return rows
  }
  const save = async (row: OutboxRow) => {
    // A row that does not fit on the disk is kept in memory.
    if (unsaved.has(row.id)) unsaved.set(row.id, row)
    else await store.save(row)
    show(row)
    tell()
  }
  const remove = async (id: string, settled?: Settled) => {
    removed.add(id)
    set(shown.getState())
    const isUnsaved = unsaved.delete(id)
    try {
      if (!isUnsaved) await store.remove(id)
    } finally {
      tell(settled)
    }
  }
  const settle = ({ id, refusal }: Settled) => {
    const waiter = waiters.get(id)
    waiters.delete(id)
    if (refusal === null) waiter?.resolve('sent')
    else waiter?.reject(new AppError(refusal.code, refusal.message, 'outbox'))
  }
  const resolveAsWaiting = (id: string) => {
    waiters.get(id)?.resolve('waiting')
    waiters.delete(id)
  }

  // A new row goes behind the stored ones: they have to be known first.
  const opened = reload().catch((cause: unknown) => logFailure('open outbox', cause))

  const unsettled = async (scope: string) =>
    (await load()).filter((row) => row.scope === scope && row.state !== 'refused')

  /** The rows of a scope have to wait: none of them returns to the field any more. */
  const queue = async (rows: readonly OutboxRow[]) => {
    for (const row of rows) {
      // Closed, it stays stored as it is, unless its account is deleted.
      if (!isClosed) await save({ ...row, state: 'waiting' })
      resolveAsWaiting(row.id)
    }
  }
  const giveBack = async (rows: readonly OutboxRow[], error: AppError) => {
    onRefused(rows, error)
    const refusal = { code: error.code, message: error.message }
    for (const { id } of rows) {
      settle({ id, refusal })
      await remove(id, { id, refusal })
    }
  }

  /** Handles a failed attempt. Returns whether the next row of the scope may be sent. */
  const handleFailure = async (row: OutboxRow, error: AppError): Promise<boolean> => {
    // The member has signed out: the row stays stored for them.
    if (isClosed) return false
    const rows = await unsettled(row.scope)
    // A live event said that it has arrived, or another window has removed it.
    if (removed.has(row.id) || rows.every(({ id }) => id !== row.id)) {
      settle({ id: row.id, refusal: null })
      return true
    }
    const isFirst = row.state === 'sending'
    if (isFirst ? mayHaveArrived(error) : isTransient(error)) {
      if (isFirst) logFailure(actionOf(row), error)
      await queue(rows)
      return false
    }
    if (isFirst) {
      await giveBack(rows, error)
    } else {
      logFailure(actionOf(row), error)
      await save({ ...row, state: 'refused', reason: error.message })
    }
    return true
  }
  const sendNext = async (row: OutboxRow): Promise<boolean> => {
    inFlight.add(row.id)
    show({ ...row, state: 'sending' })
    let error: AppError | null = null
    try {
      await send(row)
    } catch (cause) {
      error = toAppError(cause)
    }
    inFlight.delete(row.id)
    if (error !== null) return handleFailure(row, error)
    settle({ id: row.id, refusal: null })
    // A row that cannot be removed from the disk is sent again under its id.
    await remove(row.id, { id: row.id, refusal: null })
    return true
  }
  /** The store is read each time: another window may have sent or discarded the next row. */
  const sendAll = async (scope: string): Promise<void> => {
    for (;;) {
      const [next] = await unsettled(scope)
      if (isClosed || next === undefined || !(await sendNext(next))) return
    }
  }

  const draining = new Map<string, Promise<void>>()
  const askedAgain = new Set<string>()
  const drainScope = (scope: string): Promise<void> => {
    const running = draining.get(scope)
    if (running !== undefined) {
      // It may just have seen that no row is left.
      askedAgain.add(scope)
      return running
    }
    const drained = withLock(scope, () => sendAll(scope)).finally(() => {
      draining.delete(scope)
      return askedAgain.delete(scope) ? drainScope(scope) : undefined
    })
    draining.set(scope, drained)
    return drained
  }

  const persist = async (row: OutboxRow): Promise<void> => {
    unsaved.set(row.id, row)
    show(row)
    try {
      await store.save(row)
      unsaved.delete(row.id)
      tell()
    } catch (cause) {
      logFailure('persist outbox row', cause)
      // It would be lost with the window, and nothing of it was sent yet: it is better off in its field.
      if (row.state === 'waiting') {
        const error = toAppError(cause)
        unsaved.delete(row.id)
        await giveBack([row], error)
        throw error
      }
    }
  }
  const sendFirst = (row: OutboxRow): Promise<'sent' | 'waiting'> => {
    const answered = new Promise<'sent' | 'waiting'>((resolve, reject) => {
      waiters.set(row.id, { resolve, reject })
    })
    drainScope(row.scope).catch((cause: unknown) => {
      logFailure('outbox', cause)
      resolveAsWaiting(row.id)
    })
    return answered
  }

  return {
    close: () => {
      isClosed = true
      for (const id of waiters.keys()) resolveAsWaiting(id)
    },
    submit: async (kind, { id = crypto.randomUUID(), scope, payload }) => {
      await opened
      if (isClosed) throw new AppError('session-expired', '', kind)
      removed.delete(id)
      const isBehind = shown.getState().some((other) => other.scope === scope && other.state === 'waiting')
      const state = isLost() || isBehind ? 'waiting' : 'sending'
      const row: OutboxRow = { id, scope, kind, payload, createdAt: stamp(), state }
      await persist(row)
      if (state === 'sending') return sendFirst(row)
      if (!isLost()) drainScope(scope).catch((cause: unknown) => logFailure('outbox', cause))
      return 'waiting'
    },
    drain: async () => {
      const rows = await reload()
      const scopes = new Set(rows.filter(({ state }) => state !== 'refused').map(({ scope }) => scope))
      await Promise.all([...scopes].map(drainScope))
    },
    retry: async (id) => {
      const row = shown.getState().find((each) => each.id === id && each.state === 'refused')
      if (row === undefined) return
      const { reason: _reason, ...rest } = row
      await save({ ...rest, state: 'waiting' })
      if (!isLost()) await drainScope(row.scope)
    },
    discard: async (id) => {
      const row = shown.getState().find((each) => each.id === id)
      if (row === undefined || row.state === 'sending') return null
      await remove(id)
      return row
    },
    markDelivered: async (id) => {
      if (shown.getState().some((row) => row.id === id)) await remove(id)
    },
    handleBroadcast: async (settled) => {
      if (settled !== undefined) settle(settled)
      await reload()
      for (const { id, state } of shown.getState()) if (state === 'waiting') resolveAsWaiting(id)
    },
  }
}

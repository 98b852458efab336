import { AppError, type ErrorCode, toAppError } from '#/renderer/lib/core/errors'
import { isQueued, isTransient, isUnknown, MAX_UNKNOWN_FAILURES } from '#/renderer/lib/core/failures'
import { logFailure } from '#/renderer/lib/core/logger'
import { newId } from '#/renderer/lib/core/uuid'
import type { NewRow, OutboxRow, SendTools } from './row'
import { createRows, type RowsParts } from './rows'

/** How the first attempt to send a row ended, as it is broadcast to other windows. */
export interface Settled {
  id: string
  refusal: { code: ErrorCode; message: string } | null
}

export interface OutboxParts extends Pick<RowsParts, 'store' | 'shown'> {
  /** Sends a row; resolves when the server has stored it, now or earlier. Rejects with an `AppError`. */
  send: (row: OutboxRow, tools: Omit<SendTools, 'onProgress'>) => Promise<void>
  /** Removes what is uploaded of a row that is not sent. */
  dropUploads: (row: Pick<OutboxRow, 'uploads' | 'started'>) => void
  /** Whether rows of this kind stay in their form until the server answers; see `OutboxKind.onRefused`. */
  staysInForm: (kind: string) => boolean
  /** Returns rows to the fields in which they were written. */
  onRefused: (rows: readonly OutboxRow[], error: AppError) => void
  /** What the log calls sending a row. */
  actionOf: (row: OutboxRow) => string
  /** Whether the connection is known to be lost. */
  isLost: () => boolean
  /** Whether the system has no network. A server on this machine can still be reached. */
  hasNoNetwork: () => boolean
  /** Runs one `work` per scope at a time, across all windows of this member. */
  withLock: (scope: string, work: () => Promise<void>) => Promise<void>
  /** Notifies the member's other windows that rows have changed, and how one was settled. */
  broadcast: (settled?: Settled) => void
}

/** The unsent rows of one member on one server. */
export interface Outbox {
  /**
   * Persists a row, then sends it after the earlier rows of its scope. The row waits while the connection is lost, and after a
   * failure that leaves open whether the server has stored it. Rejects with an `AppError` if the server refuses it; before that,
   * `onRefused` returns it to its field, together with the rows sent after it, whose order would change.
   *
   * A row that stays in its form is persisted, and waits, only while the connection is lost. Any other failure rejects.
   */
  submit: (kind: string, row: NewRow<unknown>) => Promise<'sent' | 'waiting'>
  /** Sends the waiting rows. */
  drain: () => Promise<void>
  retry: (id: string) => Promise<void>
  /** Removes a row, unless it is being sent. Returns it; null when there is none. If the disk refuses, rejects and keeps it. */
  discard: (id: string) => Promise<OutboxRow | null>
  /** Stops sending a row while its files are uploaded. The row returns to its field, or is removed if it was queued. */
  cancel: (id: string) => void
  /** A live event shows that the server has stored the row. */
  markDelivered: (id: string) => Promise<void>
  /** The connection is lost: rows that are being sent from their forms now wait in the outbox. */
  handleLost: () => Promise<void>
  /** Another window has changed rows. */
  handleBroadcast: (settled?: Settled) => Promise<void>
  /** Stops sending, uploading and showing rows; they stay stored. */
  close: () => void
}

interface Waiter {
  resolve: (state: 'sent' | 'waiting') => void
  reject: (error: AppError) => void
}

export function createOutbox(parts: OutboxParts): Outbox {
  const { send, dropUploads, staysInForm, onRefused, actionOf, isLost, hasNoNetwork, withLock } = parts
  let isClosed = false
  /** Aborts the sending of a row, by its id. */
  const controllers = new Map<string, AbortController>()
  /** Rows whose files the server cannot store yet; the rows after them do not wait for them. */
  const withoutStorage = new Set<string>()
  /** The callers that wait for the first attempt to send a row, by its id. */
  const waiters = new Map<string, Waiter>()

  const broadcast = (settled?: Settled) => {
    if (!isClosed) parts.broadcast(settled)
  }
  const rows = createRows({ store: parts.store, shown: parts.shown, onChange: broadcast })
  const { inForm, inFlight } = rows

  const remove = async (id: string, settled?: Settled) => {
    const isShared = !inForm.has(id)
    try {
      await rows.remove(id)
    } finally {
      if (isShared) broadcast(settled)
    }
  }
  /** @param error of this window's own attempt */
  const settle = ({ id, refusal }: Settled, error?: AppError) => {
    const waiter = waiters.get(id)
    waiters.delete(id)
    if (refusal === null) waiter?.resolve('sent')
    else waiter?.reject(error ?? new AppError(refusal.code, refusal.message, 'outbox'))
  }
  const resolveAsWaiting = (id: string) => {
    waiters.get(id)?.resolve('waiting')
    waiters.delete(id)
  }

  // A new row is sent after the stored rows, so they must be loaded first.
  const opened = rows.reload().catch((cause: unknown) => logFailure('open outbox', cause))

  const unsettled = async (scope: string) =>
    (await rows.load()).filter((row) => row.scope === scope && row.state !== 'refused')

  const giveBack = async (refused: readonly OutboxRow[], error: AppError) => {
    const outside = refused.filter(({ id }) => !inForm.has(id))
    if (outside.length > 0) onRefused(outside, error)
    const refusal = { code: error.code, message: error.message }
    for (const row of refused) {
      const { id } = row
      // The row in the form has later uploads than the one that was passed in.
      const uploaded = inForm.get(id) ?? row
      settle({ id, refusal }, error)
      await remove(id, { id, refusal })
      // Without a session the server would refuse to remove the files.
      if (!isClosed) dropUploads(uploaded)
    }
  }
  /** Persists a row. Rejects if it has to wait but cannot be stored. */
  const persist = async (row: OutboxRow): Promise<void> => {
    try {
      await rows.add(row)
    } catch (cause) {
      logFailure('persist outbox row', cause)
      // A waiting row that is not stored would be lost with the window. It was not sent yet, so return it to its field.
      if (row.state === 'waiting') {
        const error = toAppError(cause)
        await giveBack([row], error)
        throw error
      }
    }
  }
  /** Moves a row from its form to the waiting rows. A row that cannot be stored stays in its form. */
  const leaveForm = async (row: OutboxRow) => {
    inForm.delete(row.id)
    await persist({ ...row, state: 'waiting' }).then(
      () => resolveAsWaiting(row.id),
      () => undefined,
    )
  }
  /**
   * Makes the rows of a scope wait. Rows in their form wait only while the connection is lost; otherwise they are
   * refused.
   */
  const queue = async (queued: readonly OutboxRow[], error: AppError) => {
    for (const row of queued) {
      if (!inForm.has(row.id)) {
        // After closing, the row stays stored as it is, unless the account was deleted.
        if (!isClosed) await rows.save({ ...row, state: 'waiting' })
        resolveAsWaiting(row.id)
      } else if (isLost() || hasNoNetwork()) await leaveForm(row)
      else await giveBack([row], error)
    }
  }

  /** Handles the failed attempt of a row that is still in its form. Returns whether the next row may be sent. */
  const handleFormFailure = async (row: OutboxRow, error: AppError): Promise<boolean> => {
    if (isClosed || error.code !== 'offline' || !(isLost() || hasNoNetwork())) {
      await giveBack([row], error)
      return true
    }
    logFailure(actionOf(row), error)
    await queue(await unsettled(row.scope), error)
    return false
  }
  /** Handles a failed attempt. Returns whether the next row of the scope may be sent. */
  const handleFailure = async ({ id, scope }: OutboxRow, error: AppError): Promise<boolean> => {
    // The member has signed out: the row stays stored for them.
    if (isClosed) return false
    const unsent = await unsettled(scope)
    const row = unsent.find((each) => each.id === id)
    // A live event has shown that it was stored, or another window has removed it.
    if (rows.isRemoved(id) || row === undefined) {
      settle({ id, refusal: null })
      return true
    }
    const isFirst = row.state === 'sending'
    const failures = (row.failures ?? 0) + Number(isUnknown(error))
    const mayTryAgain = isTransient(error) || (isUnknown(error) && failures < MAX_UNKNOWN_FAILURES)
    if (isFirst ? isQueued(error) : mayTryAgain) {
      if (isFirst) logFailure(actionOf(row), error)
      if (error.code === 'no-storage') {
        withoutStorage.add(id)
        await queue([{ ...row, reason: error.message }], error)
        return true
      }
      const counted = isUnknown(error) ? { ...row, failures } : row
      await queue([counted, ...unsent.filter((each) => each.id !== id)], error)
      return false
    }
    if (isFirst) {
      await giveBack(unsent, error)
    } else {
      logFailure(actionOf(row), error)
      // The message of an unknown failure is the browser's, for developers.
      await rows.save({ ...row, state: 'refused', reason: isUnknown(error) ? '' : error.message })
    }
    return true
  }
  /** Ends the attempt of a row that the member has cancelled. */
  const handleCancelled = async (id: string): Promise<void> => {
    const row = (await rows.load()).find((each) => each.id === id)
    if (row === undefined || isClosed) return
    if (row.state === 'sending') return giveBack([row], new AppError('refused', '', 'cancelled'))
    await remove(id)
    dropUploads(row)
  }
  const sendNext = async (row: OutboxRow): Promise<boolean> => {
    inFlight.add(row.id)
    const controller = new AbortController()
    const { signal } = controller
    controllers.set(row.id, controller)
    if (!inForm.has(row.id)) rows.show(row)
    let error: AppError | null = null
    try {
      await send(row, {
        signal,
        keepUpload: (name, path) => rows.keepUpload(row.id, name, path),
        keepStarted: (name, started) => rows.keepStarted(row.id, name, started),
      })
    } catch (cause) {
      error = toAppError(cause)
    }
    inFlight.delete(row.id)
    controllers.delete(row.id)
    if (error !== null && signal.aborted && !isClosed) {
      await handleCancelled(row.id)
      return true
    }
    // Servers remove files that no row has used for a day. The row is sent again at once, and uploads its files again.
    if (error?.code === 'not-found' && row.uploads !== undefined && !isClosed) {
      await rows.forgetUploads(row.id)
      dropUploads(row)
      return true
    }
    if (error !== null) return inForm.has(row.id) ? handleFormFailure(row, error) : handleFailure(row, error)
    settle({ id: row.id, refusal: null })
    // If it cannot be removed from disk, it is sent again under the same id.
    await remove(row.id, { id: row.id, refusal: null })
    return true
  }
  /** The store is read each time: another window may have sent or discarded the next row. */
  const sendAll = async (scope: string): Promise<void> => {
    for (const { id } of await unsettled(scope)) withoutStorage.delete(id)
    for (;;) {
      const next = (await unsettled(scope)).find(({ id }) => !withoutStorage.has(id))
      if (isClosed || next === undefined) return
      const discarded = rows.discarding.get(next.id)
      if (discarded !== undefined) await discarded
      else if (!(await sendNext(next))) return
    }
  }

  const draining = new Map<string, Promise<void>>()
  const askedAgain = new Set<string>()
  const drainScope = (scope: string): Promise<void> => {
    const running = draining.get(scope)
    if (running !== undefined) {
      // The running drain may just have found no more rows: run it again.
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

  const sendFirst = (row: OutboxRow): Promise<'sent' | 'waiting'> => {
    const answered = new Promise<'sent' | 'waiting'>((resolve, reject) => {
      waiters.set(row.id, { resolve, reject })
    })
    drainScope(row.scope).catch((cause: unknown) => {
      logFailure('outbox', cause)
      if (inForm.has(row.id)) giveBack([row], toAppError(cause))
      else resolveAsWaiting(row.id)
    })
    return answered
  }

  return {
    close: () => {
      isClosed = true
      rows.close()
      const signedOut = new AppError('session-expired', '', 'outbox')
      // An upload of hours would go on in the session of the next member.
      for (const controller of controllers.values()) controller.abort(signedOut)
      for (const id of waiters.keys()) if (!inForm.has(id)) resolveAsWaiting(id)
      const unsent = [...inForm.values()].filter(({ id }) => !inFlight.has(id))
      void giveBack(unsent, signedOut)
    },
    submit: async (kind, { id = newId(), scope, payload }) => {
      await opened
      if (isClosed) throw new AppError('session-expired', '', kind)
      const isInForm = staysInForm(kind)
      const isBehind =
        !isInForm &&
        parts.shown.getState().some((other) => other.scope === scope && other.state === 'waiting')
      const state = isLost() || isBehind ? 'waiting' : 'sending'
      const row: OutboxRow = { id, scope, kind, payload, createdAt: rows.stamp(), state }
      if (isInForm && state === 'sending') inForm.set(id, row)
      else await persist(row)
      if (state === 'sending') return sendFirst(row)
      if (!isLost()) drainScope(scope).catch((cause: unknown) => logFailure('outbox', cause))
      return 'waiting'
    },
    drain: async () => {
      const unsent = (await rows.reload()).filter(({ state }) => state !== 'refused')
      await Promise.all([...new Set(unsent.map(({ scope }) => scope))].map(drainScope))
    },
    retry: async (id) => {
      const row = parts.shown.getState().find((each) => each.id === id && each.state === 'refused')
      if (row === undefined) return
      const { reason: _reason, failures: _failures, ...rest } = row
      await rows.save({ ...rest, state: 'waiting' })
      if (!isLost()) await drainScope(row.scope)
    },
    discard: async (id) => {
      const row = parts.shown.getState().find((each) => each.id === id)
      if (row === undefined || row.state === 'sending' || rows.discarding.has(id)) return null
      await rows.discard(id)
      broadcast()
      dropUploads(row)
      return row
    },
    cancel: (id) => controllers.get(id)?.abort(),
    markDelivered: async (id) => {
      if (parts.shown.getState().some((row) => row.id === id)) await remove(id)
    },
    handleLost: async () => {
      for (const row of [...inForm.values()]) await leaveForm(row)
    },
    handleBroadcast: async (settled) => {
      if (settled !== undefined) settle(settled)
      await rows.reload()
      for (const { id, state } of parts.shown.getState()) if (state === 'waiting') resolveAsWaiting(id)
    },
  }
}

import type { QueryClient } from '@tanstack/react-query'
import { AppError, toAppError } from '#/renderer/lib/core/errors'
import { logFailure } from '#/renderer/lib/core/logger'
import { waitUntil } from '#/renderer/lib/core/pending-work-store'
import { connection, retryDelay } from '#/renderer/lib/live'
import { removeMedia } from '#/renderer/lib/media-store'
import { untilConfirmed } from '#/renderer/lib/server/session/session-status-store'
import { storedUser } from '#/renderer/lib/server/supabase'
import { createOutbox, type Outbox, type Settled } from './outbox'
import { awaitOutbox, closeOutbox, endOpening, type Opened, openedOutbox } from './outbox-store'
import { pendingRows, type Upload, unreadableRows, uploads } from './pending'
import { withoutUnreadable } from './readable'
import type { NewRow, OutboxKind, OutboxRow } from './row'
import { indexedDbStore } from './store'

/** Delays between attempts to send waiting rows, in milliseconds, while the live connection works or its state is wrong. */
const RETRY_MS = { first: 4_000, longest: 60_000 }
/** The same after the member has exceeded a quota of a minute or a day: each attempt uploads the files again and shows a toast. */
const LIMITED_MS = { first: 120_000, longest: 3_600_000 }

/** Only files of more than 6 MB need it. */
const loadUploads = () => import('#/renderer/lib/media-store/upload/upload-resumable')

const log = (cause: unknown) => logFailure('outbox', cause)

function outbox(): Outbox {
  const opened = openedOutbox()
  if (opened === null) throw new Error('the outbox has not been started')
  return opened.outbox
}

/** Without the Web Locks API (an insecure origin), assume that this is the only window. */
function withLock(name: string, work: () => Promise<void>): Promise<void> {
  return 'locks' in navigator ? navigator.locks.request(name, work) : work()
}

interface Owner {
  me: string
  server: string
}

/**
 * Opens a member's outbox on a server and sends its waiting rows, until the returned function is called. Rows that
 * still wait then stay stored for the member.
 */
export function startOutbox(
  client: QueryClient,
  { me, server }: Owner,
  kinds: readonly OutboxKind[],
): () => void {
  const name = `vignette.pending ${server} ${me}`
  const channel = new BroadcastChannel(name)
  const kindOf = (kindName: string): OutboxKind => {
    const kind = kinds.find((each) => each.name === kindName)
    if (kind === undefined) throw new Error(`no outbox kind ${kindName}`)
    return kind
  }
  /** Scopes whose next row exceeded a quota. */
  const limited = new Set<string>()
  const mine = createOutbox({
    store: withoutUnreadable(indexedDbStore(me, server), kinds),
    shown: pendingRows,
    send: async (row, tools) => {
      const kind = kindOf(row.kind)
      // The end of an upload may outlive the outbox, but is not shown to the next member.
      const showUpload = (upload: Upload) => {
        if (openedOutbox() === opened) uploads.setState({ [row.id]: upload })
      }
      const endUpload = (state: 'done' | 'stopped') => {
        const upload = uploads.getState()[row.id]
        if (upload !== undefined) showUpload({ ...upload, state })
      }
      const onProgress = (sent: number, total: number) => showUpload({ sent, total, state: 'running' })
      await untilConfirmed()
      tools.signal.throwIfAborted()
      // Run it as a mutation, because quitting waits for mutations.
      const mutation = client.getMutationCache().build<void, Error, void, unknown>(client, {
        mutationFn: () => kind.send(row, me, client, { ...tools, onProgress }),
        scope: { id: row.scope },
        gcTime: 0,
      })
      limited.delete(row.scope)
      try {
        await mutation.execute()
        endUpload('done')
      } catch (cause) {
        endUpload('stopped')
        if (toAppError(cause).code === 'rate-limited') limited.add(row.scope)
        throw cause
      }
    },
    dropUploads: ({ uploads = {}, started = {} }) => {
      const [paths, unfinished] = [Object.values(uploads), Object.values(started)]
      if (paths.length > 0) void removeMedia(paths)
      if (unfinished.length > 0) void loadUploads().then(({ endUploads }) => endUploads(unfinished), log)
    },
    staysInForm: (kind) => kindOf(kind).onRefused === undefined,
    onRefused: (rows, error) => {
      for (const kind of kinds) {
        const own = rows.filter((row) => row.kind === kind.name)
        if (own.length > 0) kind.onRefused?.(own, error)
      }
    },
    actionOf: (row) => kindOf(row.kind).action,
    isLost: () => connection.getState().state === 'lost',
    hasNoNetwork: () => !navigator.onLine,
    withLock: (scope, work) => withLock(`${name} ${scope}`, work),
    broadcast: (settled) => channel.postMessage(settled ?? null),
  })
  const opened: Opened = { owner: me, outbox: mine }
  endOpening(opened)

  const drain = () => void mine.drain().catch(log)
  channel.addEventListener('message', ({ data }: MessageEvent<Settled | null>) => {
    mine.handleBroadcast(data ?? undefined).catch(log)
  })
  let attempts = 0
  /** The ids of the rows that wait. */
  let known = new Set<string>()
  const handleOnline = () => {
    attempts = 0
    drain()
  }
  const stopFollowing = connection.subscribe(({ state }, before) => {
    if (state === before.state) return
    if (state === 'lost') mine.handleLost().catch(log)
    if (state === 'online') handleOnline()
  })
  addEventListener('online', handleOnline)

  let timer: ReturnType<typeof setTimeout> | undefined
  const stopWatching = pendingRows.subscribe((rows) => {
    clearTimeout(timer)
    const waiting = rows.filter(({ state }) => state === 'waiting')
    // A row that begins to wait does not inherit the long pauses of another.
    if (waiting.some(({ id }) => !known.has(id))) attempts = 0
    const before = known
    const left = rows.filter(
      ({ id, state }) => state === 'waiting' || (state === 'sending' && before.has(id)),
    )
    known = new Set(left.map(({ id }) => id))
    if (waiting.length === 0) return
    const isLimited = waiting.every(({ scope }) => limited.has(scope))
    timer = setTimeout(
      () => {
        attempts += 1
        drain()
      },
      retryDelay(attempts, Math.random, isLimited ? LIMITED_MS : RETRY_MS),
    )
  })
  if (connection.getState().state === 'online') drain()

  return () => {
    mine.close()
    clearTimeout(timer)
    stopFollowing()
    removeEventListener('online', handleOnline)
    stopWatching()
    channel.close()
    closeOutbox(opened)
    pendingRows.setState([], true)
    unreadableRows.setState({ rows: [] })
  }
}

/** Whether a member has unsent rows on a server: on screen, or stored. */
export async function hasRows(me: string, server: string): Promise<boolean> {
  if (openedOutbox()?.owner === me && pendingRows.getState().length > 0) return true
  return (await indexedDbStore(me, server).load()).length > 0
}

/** Removes the rows of a member on a server, including rows in flight. */
export async function clearOutbox(me: string, server: string): Promise<void> {
  const opened = openedOutbox()
  if (opened?.owner === me) opened.outbox.close()
  await indexedDbStore(me, server).clear()
}

/** Sends a row through the member's outbox once it is open; see `Outbox.submit`. */
export function submit<P>({ name }: OutboxKind<P>, row: NewRow<P>): Promise<'sent' | 'waiting'> {
  return waitUntil(untilOpen().then((mine) => mine.submit(name, row)))
}

/**
 * Resolves with the outbox of the current member once it is open. Rejects with an `AppError` if it cannot be opened.
 */
export async function untilOpen(): Promise<Outbox> {
  const current = openedOutbox()
  if (current !== null) return current.outbox
  // Not the client's session: it is null while an expired one cannot be refreshed.
  const user = await storedUser()
  const opened = openedOutbox() ?? (await awaitOutbox())
  // Never send a member's content in another member's session.
  if (opened.owner !== user?.id) throw new AppError('session-expired', '', 'open outbox')
  return opened.outbox
}

/** Call when a live event shows that the server has stored the row. */
export function markDelivered(id: string): void {
  openedOutbox()
    ?.outbox.markDelivered(id)
    .catch((cause: unknown) => logFailure('outbox', cause))
}

/** Sends a refused row once more. */
export function retryRow(id: string): Promise<void> {
  return outbox().retry(id)
}

/** See `Outbox.cancel`. */
export function cancelRow(id: string): void {
  outbox().cancel(id)
}

/** See `Outbox.discard`. */
export function discardRow(id: string): Promise<OutboxRow | null> {
  return outbox().discard(id)
}

import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Worker } from 'node:worker_threads'
import { createLiveSessions } from '#/backend/access/live-sessions'
import { createTokens } from '#/backend/access/tokens'
import { type BackendLog, describeError } from '#/backend/base/log'
import { createMailFile } from '#/backend/base/mail-file'
import { createQueue, type Exclusive } from '#/backend/base/queue'
import { BOUNDS } from '#/backend/database/bounds'
import { scheduleCheckpoints } from '#/backend/database/checkpoints'
import { type Database, openDatabaseThread } from '#/backend/database/database'
import type { ComputeHash } from '#/backend/database/password-hashes'
import type { Session } from '#/backend/database/queries'
import { type Quota, setQuotas } from '#/backend/database/quotas'
import { BROADCASTS_CHANNEL, RIGHTS_CHANNEL, SESSIONS_CHANNEL } from '#/backend/database/setup-realtime'
import { createHashThreads } from '#/backend/database/start-hash-thread'
import { scheduleDemoRefresh } from '#/backend/demo/refresh-stories'
import { withDatabaseEndedResponse } from '#/backend/http/database-ended-response'
import { LISTEN_HOST, startHttpHost } from '#/backend/http/http-host'
import { createSupabaseHandler } from '#/backend/http/supabase-handler'
import { openObjects } from '#/backend/objects/open-objects'
import type { RealtimeLimits } from '#/backend/realtime/limits'
import { REALTIME_PATH, type Realtime, startRealtime } from '#/backend/realtime/start-realtime'
import { type DataFolder, openDataFolder } from '#/backend/storage/data-folder'
import { lockFolder } from '#/backend/storage/folder-lock'
import { deriveKey, loadSecrets } from '#/backend/storage/secrets'
import { createSnapshotSchedule } from '#/backend/storage/snapshot-schedule'
import { folderSize, writeSnapshot } from '#/backend/storage/snapshots'
import type { RunningBackend } from '#/shared/backend-messages'
import { scheduleCleanup } from './cleanup'
import { databaseThreadFile, demoAssetsFolder, migrationsFolder, templateFolder } from './paths'

/** Handles requests before the Supabase interfaces; null passes a request on to them. */
export type ExtraRoutes = (
  request: Request,
  server: RunningBackend,
  signingKey: Uint8Array,
) => Promise<Response | null>

export interface BackendOptions {
  dataDir: string
  /** 0, the default, lets the operating system choose. */
  port?: number
  /** Origins that may call the server, besides its own. */
  allowedOrigins?: readonly string[]
  /** Whether pages on any port of this machine may call the server. */
  allowsLoopbackOrigins?: boolean
  /** Whether a new data folder gets the demo community; false when left out. */
  demo?: boolean
  /** Whether to set the current data aside and restore the newest snapshot that opens; false when left out. */
  restore?: boolean
  migrationsDir?: string
  /** Folder of a template database (`writeTemplate`); the bundle's when left out. */
  templateDir?: string
  /** The bundled database thread, beside the one for password hashes; the bundle's when left out. */
  threadFile?: string
  /** The database thread, if the program has spawned it already. */
  spawned?: Worker
  extraRoutes?: ExtraRoutes
  /** Changes to what one member may create; stored in the data folder. */
  quotas?: readonly Quota[]
  /** Overrides of DEFAULT_LIMITS. */
  realtimeLimits?: Partial<RealtimeLimits>
  log?: BackendLog
  /** Called when the database ended and could not be reopened: the process should exit. */
  onFatalError?: (error: unknown) => void
}

/** Default time limit of `stop`: a server that gets a signal exits within five seconds. */
const STOP_MS = 4_500

export interface Backend extends RunningBackend {
  /** A superuser session with a member's time limits; only inside `exclusive`. */
  pg: Session
  /** A superuser session with the time limits of maintenance; only inside `exclusive`. */
  maintenance: Session
  exclusive: Exclusive
  realtime: Pick<Realtime, 'settled'>
  /**
   * Finishes running requests, writes a snapshot, closes the database and releases the folder. After the time limit it
   * terminates the database instead; no acknowledged write is lost.
   */
  stop(options?: StopOptions): Promise<void>
}

export interface StopOptions {
  /** Milliseconds; 4,500 when left out. */
  withinMs?: number
  /** True when left out. */
  takesSnapshot?: boolean
}

/** Starts the embedded Supabase on a data folder. Throws a BackendError if the member should see the reason. */
export async function startBackend(options: BackendOptions): Promise<Backend> {
  const log: BackendLog = options.log ?? (() => undefined)
  const folder = await openDataFolder(options.dataDir)
  const lock = await lockFolder(folder.lock)
  let database: Database | undefined
  try {
    const threadFile = options.threadFile ?? databaseThreadFile()
    const computeHash = createHashThreads(join(dirname(threadFile), 'hash-thread.mjs'))
    database = await openDatabaseThread({
      threadFile,
      ...(options.spawned === undefined ? {} : { spawned: options.spawned }),
      open: {
        folder,
        migrationsDir: options.migrationsDir ?? migrationsFolder(),
        templateDir: options.templateDir ?? templateFolder(),
        assetsDir: demoAssetsFolder(),
        secrets: await loadSecrets(folder.secrets),
        siteUrl: `http://${LISTEN_HOST}:${options.port ?? 0}`,
        demo: options.demo === true,
        restore: options.restore === true,
        channels: [BROADCASTS_CHANNEL, RIGHTS_CHANNEL, SESSIONS_CHANNEL],
      },
      log,
      onFatalError: options.onFatalError ?? (() => undefined),
    })
    return await serve({ database, computeHash }, options, folder, lock.release, log)
  } catch (error) {
    await database?.terminate().catch(() => undefined)
    await lock.release()
    throw error
  }
}

async function serve(
  { database, computeHash }: { database: Database; computeHash: ComputeHash },
  options: BackendOptions,
  folder: DataFolder,
  releaseLock: () => Promise<void>,
  log: BackendLog,
): Promise<Backend> {
  const { secrets, restoredFrom } = database.opened
  const pg = database.session(BOUNDS.member)
  const maintenance = database.session(BOUNDS.maintenance)
  await setQuotas(maintenance, options.quotas ?? [])
  // Before the first request: a device could renew a session that was unused while the server was off.
  for (let ended = 1; ended > 0; ) {
    // In batches: a session can have a hundred tokens.
    const { rows } = await maintenance.query<{ ended: number }>(
      'select private.end_unused_sessions(1000) as ended',
    )
    ended = rows[0]?.ended ?? 0
  }
  const exclusive = createQueue()
  const stopDemoRefresh =
    secrets.demo.length > 0 ? await scheduleDemoRefresh(maintenance, exclusive, log) : () => undefined

  const snapshots = createSnapshotSchedule({
    take: createSnapshotTaker(database, exclusive, folder.snapshots),
    dataSize: () => folderSize(folder.database),
    log,
  })
  const checkpoints = scheduleCheckpoints({ pg: maintenance, exclusive, log })
  const sessions = createLiveSessions(pg, exclusive, database.listen)
  const tokens = createTokens(secrets, sessions)
  const { listen } = database
  const limits = options.realtimeLimits ?? {}
  const realtime = startRealtime({ pg, listen, exclusive, tokens, sessions, log, limits })
  database.onRestart(() => {
    realtime.terminateAll()
    sessions.refresh().catch((error: unknown) => {
      log('error', `Sessions could not be looked up: ${describeError(error)}`)
    })
  })
  const onWrite = () => {
    snapshots.noteWrite()
    checkpoints.noteWrite()
  }
  const signers = { tokens, sessions, signingKey: deriveKey(secrets, 'signed links of objects') }
  const objects = await openObjects({ folder, pg, maintenance, exclusive, ...signers, onWrite })
  const handleSupabase = createSupabaseHandler({
    fetch: withDatabaseEndedResponse(database.fetch),
    errors: database.errors,
    query: async (sql, parameters) => (await pg.query(sql, parameters)).rows,
    computeHash,
    sendMail: createMailFile(folder.mails).send,
    exclusive,
    onWrite,
    handleObjects: objects.handle,
    log,
  })

  const serverAt = (port: number): RunningBackend => ({
    publishableKey: secrets.publishableKey,
    demo: secrets.demo,
    mailFile: folder.mails,
    restoredFrom,
    port,
    url: `http://${LISTEN_HOST}:${port}`,
  })

  const signingKey = deriveKey(secrets, 'chosen server cookie')
  const http = await startHttpHost({
    port: options.port ?? 0,
    access: {
      allowedOrigins: options.allowedOrigins ?? [],
      allowsLoopbackOrigins: options.allowsLoopbackOrigins ?? false,
    },
    handle: async (request, caller, port) =>
      (await options.extraRoutes?.(request, serverAt(port), signingKey)) ?? handleSupabase(request, caller),
    upgrades: new Map([[REALTIME_PATH, realtime.upgrade]]),
    memberOf: (token) =>
      tokens.verify(token).then(
        ({ sub, session_id }) => (sub === undefined ? null : { member: sub, session: session_id }),
        () => null,
      ),
    onError: (text) => log('error', text),
  }).catch((error) => {
    stopDemoRefresh()
    throw error
  })
  sessions.onEnd(http.endSession)
  const stopCleanup = scheduleCleanup({ pg: maintenance, exclusive, objects, log })

  const stopInOrder = async (takesSnapshot: boolean) => {
    stopDemoRefresh()
    stopCleanup()
    checkpoints.stop()
    await realtime.close()
    await http.close()
    await snapshots.finish(takesSnapshot)
    await exclusive(() => database.close())
  }
  const stop = async ({ withinMs = STOP_MS, takesSnapshot = true }: StopOptions = {}) => {
    try {
      const isLate = sleep(withinMs, true, { ref: false })
      if (!(await Promise.race([stopInOrder(takesSnapshot).then(() => false), isLate]))) return
      log('warn', 'The server did not stop in time. No final snapshot was written.')
    } finally {
      await database.terminate()
      await releaseLock()
    }
  }
  let stopping: Promise<void> | undefined
  const stopOnce = (given?: StopOptions) => (stopping ??= stop(given))
  return { ...serverAt(http.port), pg, maintenance, exclusive, realtime, stop: stopOnce }
}

/** The returned function resolves with false if no transaction has written since the last snapshot. */
function createSnapshotTaker(
  database: Database,
  exclusive: Exclusive,
  folder: string,
): () => Promise<boolean> {
  const pg = database.session(BOUNDS.maintenance)
  let last: string | null = null
  return async () => {
    const taken = await exclusive(async () => {
      const { rows } = await pg.query<{ next: string }>(
        'select pg_snapshot_xmax(pg_current_snapshot())::text as next',
      )
      const next = rows[0]?.next ?? ''
      if (next === last) return null
      await pg.exec('checkpoint')
      return { next, at: new Date(), dump: await database.dump() }
    })
    if (taken === null) return false
    await writeSnapshot(folder, taken.dump, taken.at)
    last = taken.next
    return true
  }
}

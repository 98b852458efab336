import type { PGlite } from '@electric-sql/pglite'
import type { RunningBackend } from '#/shared/backend-messages'
import { watchErrors } from './database/connection'
import { hashMigrations, readMigrations } from './database/migrations'
import { openOrRestore } from './database/open-or-restore'
import { prepareDatabase } from './database/prepare-database'
import { type Quota, setQuotas } from './database/quotas'
import { createSchemaCache } from './database/schema-cache'
import { readTemplate, templateSchema } from './database/template'
import { addDemo, keepDemoFresh } from './demo-community'
import { keepHouse } from './housekeeping'
import { startHttpHost } from './http/http-host'
import { createSupabaseHandler } from './http/supabase-handler'
import type { BackendLog } from './log'
import { createMailFile } from './mail-file'
import { createMutex, type Exclusive } from './mutex'
import { migrationsFolder, templateFolder } from './paths'
import type { RealtimeLimits } from './realtime/limits'
import { REALTIME_PATH, type Realtime, startRealtime } from './realtime/start-realtime'
import { type DataFolder, openDataFolder } from './storage/data-folder'
import { lockFolder } from './storage/folder-lock'
import { deriveKey, loadSecrets } from './storage/secrets'
import { createSnapshotSchedule } from './storage/snapshot-schedule'
import { folderSize, writeSnapshot } from './storage/snapshots'

/** Answers a request before the Supabase interfaces do, or null to leave it to them. */
export type ExtraRoutes = (
  request: Request,
  server: RunningBackend,
  caller: { address: string; signingKey: Uint8Array },
) => Promise<Response | null>

export interface BackendOptions {
  dataDir: string
  /** 0, the default, lets the system choose. */
  port?: number
  /** `127.0.0.1` unless told otherwise. */
  host?: string
  /** Origins of the pages that may call, besides the server's own. */
  allowedOrigins?: readonly string[]
  /** Whether pages of any port of this machine may call too. */
  allowsLoopbackOrigins?: boolean
  /** Whether a new data folder gets the demo community; false when left out. */
  demo?: boolean
  /** Whether to go back to the newest snapshot that opens, setting the data of now aside; false when left out. */
  restore?: boolean
  migrationsDir?: string
  /** Folder of a prepared first start (`writeTemplate`); the bundle's own when left out. */
  templateDir?: string
  extraRoutes?: ExtraRoutes
  /** Changes to what one member may create; they stay in the data folder. */
  quotas?: readonly Quota[]
  /** What one realtime connection may ask, where it differs from DEFAULT_LIMITS. */
  realtimeLimits?: Partial<RealtimeLimits>
  log?: BackendLog
}

export interface Backend extends RunningBackend {
  /** The database as its superuser; only inside `exclusive`. */
  pg: PGlite
  exclusive: Exclusive
  realtime: Pick<Realtime, 'settled'>
  /** Finishes what is under way, writes a snapshot, closes the database and frees the folder. */
  stop(): Promise<void>
}

/** Starts the embedded Supabase on a data folder. Throws a BackendError where the reason is one for the member. */
export async function startBackend(options: BackendOptions): Promise<Backend> {
  const log: BackendLog = options.log ?? (() => undefined)
  const folder = await openDataFolder(options.dataDir)
  const lock = await lockFolder(folder.lock)
  try {
    return await startLocked(options, folder, lock.release, log)
  } catch (error) {
    await lock.release()
    throw error
  }
}

async function startLocked(
  options: BackendOptions,
  folder: DataFolder,
  releaseLock: () => Promise<void>,
  log: BackendLog,
): Promise<Backend> {
  const host = options.host ?? '127.0.0.1'
  const email = createMailFile(folder.mails)
  const migrations = await readMigrations(options.migrationsDir ?? migrationsFolder())
  const migrationsHash = hashMigrations(migrations)
  const templateDir = options.templateDir ?? templateFolder()
  const schemaCache = createSchemaCache(folder.schemaCache, migrationsHash, templateSchema(templateDir))
  let secrets = await loadSecrets(folder.secrets)

  const { ready, restoredFrom } = await openOrRestore({
    folder,
    readTemplate: () => readTemplate(templateDir, migrationsHash),
    restore: options.restore === true,
    log,
    prepare: async (connection, isNew) => {
      const siteUrl = `http://127.0.0.1:${options.port ?? 0}`
      const served = await prepareDatabase(connection, { secrets, email, siteUrl, migrations, schemaCache })
      if (isNew && options.demo === true) secrets = await addDemo(served, folder, secrets, log)
      return served
    },
  })
  const { connection, lite } = ready
  const pg = connection.driver
  await setQuotas(pg, options.quotas ?? []).catch(async (error) => {
    await connection.close()
    throw error
  })
  const exclusive = createMutex()
  const stopFreshening =
    secrets.demo.length > 0 ? await keepDemoFresh(ready, secrets, exclusive, log) : () => undefined

  const snapshots = createSnapshotSchedule({
    take: createSnapshotTaker(pg, exclusive, folder.snapshots),
    dataSize: () => folderSize(folder.database),
    log,
  })
  const realtime = await startRealtime({ pg, exclusive, secrets, log, limits: options.realtimeLimits ?? {} })
  const answer = createSupabaseHandler({
    fetch: lite.fetch,
    errors: watchErrors(pg),
    query: async (sql, parameters) => (await pg.query<Record<string, unknown>>(sql, parameters)).rows,
    exclusive,
    onWrite: snapshots.noteWrite,
    log,
  })

  const about = {
    publishableKey: secrets.publishableKey,
    demo: secrets.demo,
    mailFile: folder.mails,
    restoredFrom,
  }
  const serverAt = (port: number): RunningBackend => ({
    ...about,
    port,
    url: `http://${urlHost(host)}:${port}`,
  })

  const signingKey = deriveKey(secrets, 'chosen server cookie')
  const http = await startHttpHost({
    port: options.port ?? 0,
    access: {
      allowedOrigins: options.allowedOrigins ?? [],
      allowsLoopbackOrigins: options.allowsLoopbackOrigins ?? false,
      listenHost: host,
    },
    handle: async (request, address, port) =>
      (await options.extraRoutes?.(request, serverAt(port), { address, signingKey })) ??
      answer(request, address),
    upgrades: new Map([[REALTIME_PATH, realtime.upgrade]]),
    onError: (text) => log('error', text),
  }).catch(async (error) => {
    stopFreshening()
    await connection.close()
    throw error
  })
  const stopTidying = keepHouse({ pg, exclusive, log })

  const stop = async () => {
    stopFreshening()
    stopTidying()
    await realtime.close()
    await http.close()
    await snapshots.finish()
    await exclusive(() => connection.close())
    await releaseLock()
  }
  return { ...serverAt(http.port), pg, exclusive, realtime, stop: once(stop) }
}

/** How a listening host is named in an address: every interface is reached on loopback. */
function urlHost(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1'
  return host.includes(':') ? `[${host}]` : host
}

/** Takes a snapshot unless no transaction has written since the last one. */
function createSnapshotTaker(pg: PGlite, exclusive: Exclusive, folder: string): () => Promise<boolean> {
  let last: string | null = null
  return async () => {
    const taken = await exclusive(async () => {
      const { rows } = await pg.query<{ next: string }>(
        'select pg_snapshot_xmax(pg_current_snapshot())::text as next',
      )
      const next = rows[0]?.next ?? ''
      if (next === last) return null
      await pg.exec('checkpoint')
      return { next, at: new Date(), dump: await pg.dumpDataDir('gzip') }
    })
    if (taken === null) return false
    await writeSnapshot(folder, taken.dump, taken.at)
    last = taken.next
    return true
  }
}

function once<T>(work: () => Promise<T>): () => Promise<T> {
  let result: Promise<T> | undefined
  return () => {
    result ??= work()
    return result
  }
}

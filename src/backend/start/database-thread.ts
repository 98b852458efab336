import { parentPort, type Transferable } from 'node:worker_threads'
import type { PgliteConnection } from '@supabase/lite/pglite'
import { collectGarbageWhenIdle } from '#/backend/base/collect-garbage'
import { type BackendLog, describeError } from '#/backend/base/log'
import { createMailFile } from '#/backend/base/mail-file'
import { dataVersion, openDatabase, recordErrors } from '#/backend/database/connection'
import type { LastDatabaseError } from '#/backend/database/database-error'
import { guardMainLoop } from '#/backend/database/guard-main-loop'
import { limitGrowth } from '#/backend/database/limit-growth'
import { limitResponse } from '#/backend/database/limit-response'
import { hashMigrations, readMigrations } from '#/backend/database/migrations'
import { openOrRestore } from '#/backend/database/open-or-restore'
import { HashNeededError } from '#/backend/database/password-hashes'
import { prepareDatabase, resumeDatabase, type ServedDatabase } from '#/backend/database/prepare-database'
import { createSchemaCache } from '#/backend/database/schema-cache'
import { findTemplate, templateSchema } from '#/backend/database/template'
import {
  type CallName,
  type FromThread,
  type OpenArgs,
  type OpenResult,
  serializeError,
  type ThreadCalls,
  type ToThread,
} from '#/backend/database/thread-calls'
import { addDemo } from '#/backend/demo/add-demo'
import { markDemoMembers } from '#/backend/demo/seed-demo'

const port = parentPort
if (port === null) throw new Error('This module runs as a worker thread only')

let served:
  | (ServedDatabase & {
      errors: LastDatabaseError
      limitResponses: (isLimited: boolean) => void
      bytesAtOpen: number
    })
  | null = null

const post = (message: FromThread, transfer: Transferable[] = []) => port.postMessage(message, transfer)
const log: BackendLog = (level, text) => post({ type: 'log', level, text })

const noteUse = collectGarbageWhenIdle()

function running() {
  if (served === null) throw new Error('The database is not open')
  return served
}

function guard({ driver }: PgliteConnection): void {
  guardMainLoop(driver, (error) => {
    log('error', `PostgreSQL crashed: ${describeError(error)}`)
    process.exit(1)
  })
}

async function open({ folder, secrets, siteUrl, channels, ...args }: OpenArgs): Promise<OpenResult> {
  const migrations = await readMigrations(args.migrationsDir)
  const hash = hashMigrations(migrations)
  const schemaCache = createSchemaCache(folder.schemaCache, hash, templateSchema(args.templateDir))
  const { wasmModule, migrationsDir } = args
  const email = createMailFile(folder.mails)
  const options = { secrets, email, siteUrl, migrations, schemaCache, folder, migrationsDir, log }
  const result = { secrets, restoredFrom: null as string | null }

  if (args.isReopening) {
    // PGlite would create an empty database in a missing folder.
    if ((await dataVersion(folder.database)) === null) throw new Error('The database files are missing')
    const connection = await openDatabase(folder.database, { wasmModule })
    guard(connection)
    await serve(await resumeDatabase(connection, options), channels)
    return result
  }

  const { ready, restoredFrom } = await openOrRestore({
    folder,
    wasmModule,
    findTemplate: () => findTemplate(args.templateDir, hash),
    restore: args.restore,
    log,
    prepare: async (connection, isNew) => {
      guard(connection)
      const prepared = await prepareDatabase(connection, options)
      if (isNew && args.demo) {
        const { assetsDir } = args
        result.secrets = await addDemo(prepared, { folder, secrets, assetsDir, log })
      } else if (prepared.migrated.length > 0 && secrets.demo.length > 0) {
        await markDemoMembers(connection.driver)
      }
      return prepared
    },
  })
  await serve(ready, channels)
  return { ...result, restoredFrom }
}

async function serve(ready: ServedDatabase, channels: readonly string[]): Promise<void> {
  const { driver } = ready.connection
  served = {
    ...ready,
    errors: recordErrors(driver),
    limitResponses: limitResponse(driver),
    bytesAtOpen: driver.Module.HEAPU8.byteLength,
  }
  limitGrowth(driver)
  for (const channel of channels) {
    await driver.listen(channel, (payload) => post({ type: 'notification', channel, payload }))
  }
}

const handlers: {
  [Name in CallName]: (args: ThreadCalls[Name]['args']) => Promise<ThreadCalls[Name]['result']>
} = {
  open,
  fetch: async ({ method, url, headers, body, hashes }) => {
    const { lite, errors, limitResponses } = running()
    errors.take()
    limitResponses(true)
    try {
      const response = await lite.fetch(new Request(url, { method, headers, body }), hashes ?? undefined)
      const responseBody = await response.arrayBuffer()
      return {
        status: response.status,
        headers: [...response.headers],
        body: responseBody.byteLength === 0 ? null : responseBody,
        raised: errors.take(),
      }
    } catch (error) {
      if (error instanceof HashNeededError) return { hashNeeded: error.task }
      throw error
    } finally {
      limitResponses(false)
    }
  },
  query: async ({ sql, parameters }) => {
    const { rows } = await running().connection.driver.query<Record<string, unknown>>(sql, parameters)
    return rows
  },
  exec: async (sql) => {
    await running().connection.driver.exec(sql)
    return null
  },
  growth: async () => {
    const { connection, bytesAtOpen } = running()
    return connection.driver.Module.HEAPU8.byteLength - bytesAtOpen
  },
  dump: async () => {
    const archive = await running().connection.driver.dumpDataDir('none')
    return archive.arrayBuffer()
  },
  close: async () => {
    await running().connection.close()
    return null
  },
}

/** The buffers of a result that are transferred instead of copied. */
function transferables(result: unknown): ArrayBuffer[] {
  if (result instanceof ArrayBuffer) return [result]
  const hasBody = typeof result === 'object' && result !== null && 'body' in result
  return hasBody && result.body instanceof ArrayBuffer ? [result.body] : []
}

port.on('message', async ({ call, args }: ToThread) => {
  try {
    const result = await handlers[call](args as never)
    post({ type: 'result', result }, transferables(result))
  } catch (error) {
    post({ type: 'error', error: serializeError(error) })
  } finally {
    noteUse()
  }
})

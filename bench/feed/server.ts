import { cp, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { PgliteConnection } from '@supabase/lite/pglite'
import { openDatabase } from '#/backend/database/connection'
import { createLiteApp } from '#/backend/database/lite-app'
import { type Backend, startBackend } from '#/backend/start/start-backend'
import { loadSecrets } from '#/backend/storage/secrets'
import type { Methods } from '../lib/child'
import { timed } from '../lib/measure'
import { insertPhotoPosts } from '../lib/photo-posts'

/** The methods of the benchmarked server, in addition to its HTTP interface. */
export interface FeedServerMethods extends Methods {
  start: { params: null; result: { url: string; publishableKey: string } }
  /** Inserts posts by the members named author… up to the given number; the viewer likes a third of them. */
  fill: { params: { posts: number; viewer: string }; result: null }
  /** Runs SQL as the owner of the database. */
  exec: { params: string; result: null }
  /** Processor time of each thread since it started, in ms, by its id (Linux only). */
  threadTimes: { params: null; result: Record<string, number> }
  /** Starts to record requests; the last one counts. */
  startRecording: { params: null; result: null }
  /** Runs the recorded request on a copy of the database in this process and returns the text of its statements. */
  stopRecording: { params: null; result: string[] }
  /**
   * Runs the statements of the recorded request on the copy and returns the time in ms: `all` of them as the server sends them,
   * or the `minimum`: one statement that sets role and claims, and the query, in a transaction.
   */
  replay: { params: 'all' | 'minimum'; result: number }
  /** Sets the response of /bench/echo. */
  setEcho: { params: string; result: null }
}

interface Statement {
  method: 'query' | 'exec'
  args: unknown[]
}

let backend: Backend | null = null
let folder = ''
let copy: PgliteConnection | null = null
let request: Request | null = null
let isRecording = false
let statements: Statement[] = []
let echoBody = ''

function runningBackend(): Backend {
  if (backend === null) throw new Error('The server has not been started')
  return backend
}

function databaseCopy(): PgliteConnection {
  if (copy === null) throw new Error('No request has been recorded')
  return copy
}

/** Copies the server's database and opens the copy in this process, which can observe its statements. */
async function openCopy(): Promise<PgliteConnection> {
  await copy?.close()
  const path = join(folder, 'copy')
  await rm(path, { recursive: true, force: true })
  const { maintenance, exclusive } = runningBackend()
  await exclusive(async () => {
    await maintenance.exec('checkpoint')
    await cp(join(folder, 'postgres'), path, { recursive: true })
  })
  copy = await openDatabase(path)
  return copy
}

/** Runs a request on the copy and returns its statements. */
async function recordStatements(recorded: Request): Promise<Statement[]> {
  const connection = await openCopy()
  const secrets = await loadSecrets(join(folder, 'secrets.json'))
  const email = { send: async () => undefined }
  const lite = createLiteApp(connection, { secrets, email, siteUrl: 'http://127.0.0.1' })
  // The first request also reads the schema.
  await lite.fetch(recorded.clone())
  const { driver } = connection
  const { query, exec } = driver
  const executed: Statement[] = []
  driver.query = (...args) => {
    executed.push({ method: 'query', args })
    return query.apply(driver, args) as never
  }
  driver.exec = (...args) => {
    executed.push({ method: 'exec', args })
    return exec.apply(driver, args)
  }
  const response = await lite.fetch(recorded)
  Object.assign(driver, { query, exec })
  if (!response.ok) throw new Error(`The request on the copy failed with ${response.status}`)
  return executed
}

const textOf = ({ args }: Statement): string => String(args[0])
const SETTING = /^select set_config\('([a-z.]+)', \$1, true\)$/i

/** The minimum for a request: its settings in one statement and its query, in a transaction. */
function minimumOf(sent: readonly Statement[]): Statement[] {
  const query = sent.filter((statement) => /^select .* from "public"\./is.test(textOf(statement)))
  if (query.length !== 1) throw new Error(`The request has ${query.length} queries instead of one`)
  const settings = sent.flatMap((statement) => {
    const name = SETTING.exec(textOf(statement))?.[1]
    return name === undefined ? [] : [{ name, value: (statement.args[1] as unknown[])[0] }]
  })
  const names = settings.map(({ name }) => name)
  if (!names.includes('role') || !names.includes('request.jwt.claims')) {
    throw new Error(`The request sets ${names.join(', ') || 'nothing'}, not its role and claims`)
  }
  const calls = names.map((name, index) => `set_config('${name}', $${index + 1}, true)`)
  return [
    { method: 'exec', args: ['begin'] },
    { method: 'query', args: [`select ${calls.join(', ')}`, settings.map(({ value }) => value)] },
    ...query,
    { method: 'exec', args: ['commit'] },
  ]
}

const LIKE_SQL = `
  insert into public.likes (post_id, user_id)
  select id, $1 from public.posts where get_byte(uuid_send(id), 0) % 3 = 0
  on conflict do nothing`

export const handlers = {
  start: async () => {
    folder = await mkdtemp(join(tmpdir(), 'vignette-bench-'))
    backend = await startBackend({
      dataDir: folder,
      extraRoutes: async (incoming) => {
        if (isRecording) request = incoming.clone()
        return new URL(incoming.url).pathname === '/bench/echo'
          ? new Response(echoBody, { headers: { 'content-type': 'application/json; charset=utf-8' } })
          : null
      },
    })
    return { url: backend.url, publishableKey: backend.publishableKey }
  },
  fill: async ({ posts, viewer }: { posts: number; viewer: string }) => {
    const { maintenance: pg, exclusive } = runningBackend()
    await exclusive(async () => {
      const { rows } = await pg.query<{ count: number }>('select count(*)::int as count from public.posts')
      const authors = await pg.query<{ id: string }>(
        `select id from public.profiles where username like 'author%'`,
      )
      const range = { from: rows[0]?.count ?? 0, to: posts }
      const ids = authors.rows.map(({ id }) => id)
      await insertPhotoPosts(pg, join(folder, 'objects'), ids, range)
      await pg.query(LIKE_SQL, [viewer])
    })
    return null
  },
  exec: async (sql: string) => {
    const { maintenance, exclusive } = runningBackend()
    await exclusive(() => maintenance.exec(sql))
    return null
  },
  threadTimes: async () => {
    const times: Record<string, number> = {}
    for (const thread of await readdir('/proc/self/task').catch(() => [])) {
      // A thread may end meanwhile.
      const stat = await readFile(`/proc/self/task/${thread}/schedstat`, 'utf8').catch(() => null)
      if (stat !== null) times[thread] = Number(stat.split(' ')[0]) / 1e6
    }
    return times
  },
  startRecording: async () => {
    isRecording = true
    return null
  },
  stopRecording: async () => {
    isRecording = false
    if (request === null) throw new Error('There was no request')
    statements = await recordStatements(request)
    return statements.map(textOf)
  },
  replay: async (which: 'all' | 'minimum') => {
    const { driver } = databaseCopy()
    const replayed = which === 'minimum' ? minimumOf(statements) : statements
    return timed(async () => {
      for (const { method, args } of replayed) {
        await Reflect.apply(driver[method], driver, args)
      }
    })
  },
  setEcho: async (body: string) => {
    echoBody = body
    return null
  },
}

/** Stops the server and removes its folder. */
export async function close(): Promise<void> {
  await copy?.close()
  await backend?.stop()
  await rm(folder, { recursive: true, force: true })
}

import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { PgliteConnection } from '@supabase/lite/pglite'
import { openDatabase } from '#/backend/database/connection'
import { createLiteApp } from '#/backend/database/lite-app'
import { type Backend, startBackend } from '#/backend/start-backend'
import { loadSecrets } from '#/backend/storage/secrets'
import { timed } from '../lib/measure'

/** What the measured server can be asked, beside its HTTP interface. */
export interface FeedServerQuestions extends Record<string, { ask: unknown; answer: unknown }> {
  start: { ask: null; answer: { url: string; publishableKey: string } }
  /** Fills the database up to so many posts by the members called author…, liked by the viewer here and there. */
  fill: { ask: { posts: number; viewer: string }; answer: null }
  /** Keeps the next request. */
  record: { ask: null; answer: null }
  /** Answers that request from a copy of the database in this process; gives the texts of its statements. */
  stop: { ask: null; answer: string[] }
  /**
   * Gives the statements to the copy again and says how long that took in ms: all of them `as sent`, or the `least`
   * there must be: a transaction with role and claims set at once, and the query itself.
   */
  replay: { ask: 'as sent' | 'least'; answer: number }
  /** What /bench/echo answers from now on. */
  echo: { ask: string; answer: null }
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
let echoed = ''

function running(): Backend {
  if (backend === null) throw new Error('The server has not been started')
  return backend
}

function copied(): PgliteConnection {
  if (copy === null) throw new Error('No request has been recorded')
  return copy
}

/** Opens a copy of the server's database in this process, where its statements can be seen. */
async function openCopy(): Promise<PgliteConnection> {
  await copy?.close()
  const path = join(folder, 'copy')
  await rm(path, { recursive: true, force: true })
  const { maintenance, exclusive } = running()
  await exclusive(async () => {
    await maintenance.exec('checkpoint')
    await cp(join(folder, 'postgres'), path, { recursive: true })
  })
  copy = await openDatabase(path)
  return copy
}

/** Answers a request from the copy; gives the statements that it took. */
async function statementsOf(asked: Request): Promise<Statement[]> {
  const connection = await openCopy()
  const secrets = await loadSecrets(join(folder, 'secrets.json'))
  const email = { send: async () => undefined }
  const lite = createLiteApp(connection, { secrets, email, siteUrl: 'http://127.0.0.1' })
  // The first request reads the schema.
  await lite.fetch(asked.clone())
  const { driver } = connection
  const { query, exec } = driver
  const noted: Statement[] = []
  driver.query = (...args) => {
    noted.push({ method: 'query', args })
    return query.apply(driver, args) as never
  }
  driver.exec = (...args) => {
    noted.push({ method: 'exec', args })
    return exec.apply(driver, args)
  }
  const answer = await lite.fetch(asked)
  Object.assign(driver, { query, exec })
  if (!answer.ok) throw new Error(`The copy answered ${answer.status}`)
  return noted
}

const textOf = ({ args }: Statement): string => String(args[0])
const SETTING = /^select set_config\('([a-z.]+)', \$1, true\)$/i

/** What a request cannot do without: its settings in one statement, and its query, in one transaction. */
function leastOf(sent: readonly Statement[]): Statement[] {
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

// A WebP's worth of letters for thumbnails: 8 KB each, 16 different ones, as large as the app's.
const FILL_SQL = `
  with author as (
    select array_agg(id) as ids from public.profiles where username like 'author%'
  ), picture as (
    select array_agg('data:image/webp;base64,' || body) as urls from (
      select (select string_agg(md5(random()::text || n || part), '') from generate_series(1, 340) part) as body
      from generate_series(1, 16) n
    ) bodies
  )
  insert into public.posts
    (user_id, content, location, image_url, thumbnail_url, image_width, image_height, created_at)
  select author.ids[1 + n % cardinality(author.ids)], 'Evening light over the harbour, number ' || n,
    'Lisbon', picture.urls[1 + n % 16], picture.urls[1 + n % 16], 1440, 1080, now() - n * interval '7 minutes'
  from generate_series($1::int + 1, $2::int) n, author, picture`

const LIKE_SQL = `
  insert into public.likes (post_id, user_id)
  select id, $1 from public.posts where get_byte(uuid_send(id), 0) % 3 = 0
  on conflict do nothing`

/** The questions and who answers them. */
export const serve = {
  start: async () => {
    folder = await mkdtemp(join(tmpdir(), 'vignette-bench-'))
    backend = await startBackend({
      dataDir: folder,
      extraRoutes: async (asked) => {
        if (isRecording) request = asked.clone()
        return new URL(asked.url).pathname === '/bench/echo'
          ? new Response(echoed, { headers: { 'content-type': 'application/json; charset=utf-8' } })
          : null
      },
    })
    return { url: backend.url, publishableKey: backend.publishableKey }
  },
  fill: async ({ posts, viewer }: { posts: number; viewer: string }) => {
    const { maintenance: pg, exclusive } = running()
    await exclusive(async () => {
      const { rows } = await pg.query<{ count: number }>('select count(*)::int as count from public.posts')
      await pg.query(FILL_SQL, [rows[0]?.count ?? 0, posts])
      await pg.query(LIKE_SQL, [viewer])
    })
    return null
  },
  record: async () => {
    isRecording = true
    return null
  },
  stop: async () => {
    isRecording = false
    if (request === null) throw new Error('There was no request')
    statements = await statementsOf(request)
    return statements.map(textOf)
  },
  replay: async (which: 'as sent' | 'least') => {
    const { driver } = copied()
    const replayed = which === 'least' ? leastOf(statements) : statements
    return timed(async () => {
      for (const { method, args } of replayed) await Reflect.apply(driver[method], driver, args)
    })
  },
  echo: async (body: string) => {
    echoed = body
    return null
  },
}

/** Stops the server and removes its folder. */
export async function end(): Promise<void> {
  await copy?.close()
  await backend?.stop()
  await rm(folder, { recursive: true, force: true })
}

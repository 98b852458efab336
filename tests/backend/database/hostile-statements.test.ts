import { randomUUID } from 'node:crypto'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import {
  clientOf,
  discard,
  type LogLines,
  PASSWORD,
  signUpMember,
  startedFolder,
  startUnmanagedBackend,
} from '#tests/backend/support/backend'
import { copyPreparedDatabase } from '#tests/backend/support/prepared'
import { processorMsOf } from '#tests/backend/support/processor-time'
import { makeHostile } from './hostile-statements'

let backend: Awaited<ReturnType<typeof startUnmanagedBackend>>
let ada: Awaited<ReturnType<typeof signUpMember>>
/** Sends the request immediately; supabase-js would wait for `then`. */
let attack: (name: string) => Promise<{ data: unknown; error: unknown; status: number }>
const lines: LogLines = []
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vignette-test-'))
  await copyPreparedDatabase(folder)
  backend = await startUnmanagedBackend(folder, {}, lines)
  await makeHostile(backend.pg)
  ada = await signUpMember(backend, 'ada')
  const mal = clientOf(backend)
  attack = async (name) => mal.rpc('username_available', { name })
})
afterAll(async () => {
  await discard(backend)
  await rm(folder, { recursive: true, force: true })
})
beforeEach(() => {
  lines.length = 0
})

test('SAFE-07 a statement that never ends gets 504 after a second, others wait for the reopened database, and no acknowledged write is lost', async () => {
  const written = { id: randomUUID(), user_id: ada.id, content: 'just before' }
  expect((await ada.client.from('posts').insert(written)).error).toBeNull()
  const read = async () => {
    const { data } = await ada.client.from('posts').select('content')
    expect(data).toEqual([{ content: 'just before' }])
  }

  const reopening = await processorMsOf(() => Promise.all([attack('break'), read()]))
  let hung: ReturnType<typeof attack> | undefined
  const waited = await processorMsOf(async () => {
    let isHanging = true
    hung = attack('hang').then((answer) => {
      isHanging = false
      return answer
    })
    await fetch(`${backend.url}/nothing`)
    expect(isHanging).toBe(true)
    await read()
  })
  expect(await hung).toMatchObject({
    status: 504,
    error: { code: '57014', message: 'The request took too long and was stopped.' },
  })
  // In processor time: one second for the statement, then reopening.
  expect(waited).toBeLessThan(1_000 + 2 * reopening)
})

test('HTTP keeps responding while a statement hangs', { tags: 'long' }, async () => {
  let isHanging = true
  const hung = attack('hang').then(() => {
    isHanging = false
  })
  const times: number[] = []
  while (isHanging) {
    const startedAt = performance.now()
    expect((await fetch(`${backend.url}/nothing`)).status).toBe(404)
    if (isHanging) times.push(performance.now() - startedAt)
  }
  await hung
  // With a single thread there would be one response, after the statement.
  expect(times.length).toBeGreaterThan(10)
})

test('a crash inside PostgreSQL gets 503, and other members can use the reopened database', async () => {
  expect(await attack('break')).toMatchObject({
    status: 503,
    error: { code: '57P02', message: 'The database failed and was restarted.' },
  })
  expect(lines).toContain('error PostgreSQL crashed: Maximum call stack size exceeded')
  const again = await clientOf(backend).auth.signInWithPassword({ email: ada.email, password: PASSWORD })
  expect(again.error).toBeNull()
  expect((await attack('fine')).data).toBe(true)
})

test('a sign-up that crashes the database gets an error in the format of the auth API', async () => {
  await backend.pg.exec(`
    create function public.hang() returns trigger language plpgsql as 'begin loop end loop; end';
    create trigger hang before insert on auth.users for each row execute function public.hang()`)
  const account = { email: 'bea@example.com', password: PASSWORD }
  const answer = await fetch(`${backend.url}/auth/v1/signup`, {
    method: 'POST',
    headers: { apikey: backend.publishableKey, 'content-type': 'application/json' },
    body: JSON.stringify(account),
  })
  expect(answer.status).toBe(504)
  expect(await answer.json()).toMatchObject({ error_code: 'request_timeout' })
  await backend.pg.exec('drop function public.hang cascade')
  expect((await clientOf(backend).auth.signUp(account)).error).toBeNull()
})

test('a transaction does not continue in a reopened database', async () => {
  const { pg } = backend
  const rows = async () => (await pg.query('select 1 from public.kept')).rows.length
  await pg.exec('create table public.kept (id int)')
  const broken = pg.transaction(async (tx) => {
    await tx.query('insert into public.kept values (1)')
    await tx.exec('do $$ begin loop end loop; end $$').catch(() => undefined)
    await tx.query('insert into public.kept values (2)')
  })
  await expect(broken).rejects.toMatchObject({ name: 'DatabaseEndedError', code: '57P01' })
  expect(await rows()).toBe(0)
  expect((await attack('fine')).data).toBe(true)
})

test('a database that cannot be reopened is reported to onFatalError', async () => {
  const onFatalError = vi.fn()
  const dataDir = await startedFolder()
  const backend = await startUnmanagedBackend(dataDir, { onFatalError })
  await makeHostile(backend.pg)
  const attack = async (name: string) => (await clientOf(backend).rpc('username_available', { name })).status
  // PostgreSQL keeps the files that this request opens.
  expect(await attack('fine')).toBe(200)
  await rm(join(dataDir, 'postgres'), { recursive: true })
  expect(await attack('hang')).toBe(504)
  await vi.waitFor(() => expect(onFatalError).toHaveBeenCalledOnce())
  expect(onFatalError.mock.lastCall?.[0]).toMatchObject({ message: 'The database files are missing' })
  expect(await attack('fine')).toBe(500)
  await backend.stop()
  expect(await readdir(dataDir)).not.toContain('lock.json')
})

import { readFile } from 'node:fs/promises'
import type { PGlite } from '@electric-sql/pglite'
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'
import { App } from '@supabase/lite'
import { createPgliteConnection, type PgliteConnection } from '@supabase/lite/pglite'
import { createClient, type SupabaseClient } from '@supabase/supabase-js'
import bcrypt from 'bcryptjs'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { findTemplate } from '#/backend/database/template'
import { PASSWORD } from '#tests/backend/support/backend'
import { prepare } from '#tests/backend/support/prepared'
import packageJson from '../../../package.json'

/**
 * lite and PGlite without the patches of docs/decisions/0090. Each test has a defect that one patch corrects: when the test fails after an
 * upgrade, the patch that it names can go.
 */

test('the patches were made for these versions', () => {
  const { dependencies, devDependencies } = packageJson
  expect(dependencies['@electric-sql/pglite']).toBe('0.4.5')
  expect(devDependencies['@supabase/lite']).toBe('0.10.0')
  expect(devDependencies.bcryptjs).toBe('3.0.3')
})

async function openAlone(): Promise<PgliteConnection> {
  const { template, migrationsHash } = await prepare()
  const dump = (await findTemplate(template, migrationsHash)) ?? ''
  const loadDataDir = new Blob([await readFile(dump)], { type: 'application/x-gzip' })
  return createPgliteConnection({ url: 'memory://', pgliteOptions: { extensions: { pg_trgm }, loadDataDir } })
}

describe('lite', () => {
  let connection: PgliteConnection
  let client: SupabaseClient
  let id: string

  beforeAll(async () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined)
    connection = await openAlone()
    const keys = {
      jwt_secret: 'x'.repeat(48),
      publishable_key: 'sb_publishable_x',
      secret_key: 'sb_secret_x',
    }
    const app = new App({
      connection,
      auth: { enabled: true, ...keys, email: { enable_confirmations: false } },
    })
    client = createClient('http://127.0.0.1', keys.publishable_key, {
      auth: { persistSession: false, autoRefreshToken: false },
      global: { fetch: async (input, init) => app.fetch(new Request(input, init)) },
      realtime: { transport: WebSocket as unknown as typeof globalThis.WebSocket },
    })
  })

  afterAll(async () => {
    vi.restoreAllMocks()
    await connection.close()
  })

  test('hashes passwords in the thread of the database, with two functions of bcryptjs (password-hashes.ts)', async () => {
    const hash = vi.spyOn(bcrypt, 'hash')
    onTestFinished(() => hash.mockRestore())
    const { data } = await client.auth.signUp({ email: 'ada@example.com', password: PASSWORD })
    id = data.user?.id ?? ''
    expect(hash).toHaveBeenCalledWith(PASSWORD, expect.any(Number))
    await client.from('profiles').insert({ id, username: 'ada', full_name: 'Ada' }).throwOnError()
  })

  test('grants everything to every role at its first request (skipLiteGrants)', async () => {
    const { rows } = await connection.driver.query(
      `select has_table_privilege('anon', 'public.profiles', 'select') as value`,
    )
    expect(rows).toEqual([{ value: true }])
  })

  test('mixes the columns of realtime.messages into an embed of messages (hideServiceTables)', async () => {
    const { error } = await client.from('conversations').select('id,messages(*)')
    expect(error).not.toBeNull()
  })

  test('returns an array for .single() on a write with an embed (withSingleObject)', async () => {
    const { data } = await client
      .from('posts')
      .insert({ user_id: id, content: 'one' })
      .select('id,author:profiles!posts_user_id_fkey(username)')
      .single()
    expect(data).toBeInstanceOf(Array)
  })

  test('has no code for a check violation, and prints the failed statement with its texts (withSqlState, withQuietConsole)', async () => {
    const print = vi.mocked(console.error)
    print.mockClear()
    const content = 'x'.repeat(2_201)
    const { error, status } = await client.from('posts').insert({ user_id: id, content })
    expect([status, error?.code]).toEqual([500, 'SUP'])
    expect(JSON.stringify(print.mock.calls.flat().map(String))).toContain('posts')
  })

  test('has two formats of times (isoTimestamptz)', async () => {
    const { data } = await client
      .from('posts')
      .select('created_at,author:profiles!posts_user_id_fkey(created_at)')
      .limit(1)
      .single()
    const author: { created_at?: string } = Object(data?.author)
    expect(data?.created_at).toMatch(/^\S+ \S+\+00$/)
    expect(author.created_at).toMatch(/^\S+T\S+\+00:00$/)
  })
})

describe('PGlite', () => {
  let pg: PGlite
  beforeAll(async () => {
    pg = (await openAlone()).driver
  })
  afterAll(() => pg.close())

  test('has no SQLSTATE for a parameter of the wrong type (recordErrors)', async () => {
    const error = await pg.query('select $1::text', [['x']]).catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(Error)
    expect(error).not.toHaveProperty('code')
  })

  test('returns results of any size (limitResponse)', async () => {
    const { rows } = await pg.query<{ value: string }>(`select repeat('x', 40000000) as value`)
    expect(rows[0]?.value).toHaveLength(40_000_000)
  })

  test('ignores exceptions of the main loop that are not those of a failed statement (guardMainLoop)', async () => {
    const { Module } = pg
    const run = Module._PostgresMainLoopOnce
    onTestFinished(() => void Object.assign(Module, { _PostgresMainLoopOnce: run }))
    let isFaulty = true
    Object.assign(Module, {
      _PostgresMainLoopOnce: () => {
        run()
        if (!isFaulty) return
        isFaulty = false
        throw new WebAssembly.RuntimeError('unreachable')
      },
    })
    expect((await pg.query('select 1 as one')).rows).toEqual([{ one: 1 }])
  })

  test('keeps stack of each failed statement (guardMainLoop)', async () => {
    await pg.waitReady
    const stack = () => (Reflect.get(pg.Module, '___stack_pointer') as WebAssembly.Global).value
    const before = stack()
    await expect(pg.query(`select 'x'::uuid`)).rejects.toThrow()
    expect(stack()).toBeLessThan(before)
  })
})

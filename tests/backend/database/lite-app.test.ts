import { createHash } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SupabaseClient } from '@supabase/supabase-js'
import { SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { Backend } from '#/backend/start/start-backend'
import { loadSecrets } from '#/backend/storage/secrets'
import {
  clientOf,
  discard,
  PASSWORD,
  signUpMember,
  startUnmanagedBackend,
} from '#tests/backend/support/backend'
import { copyPreparedDatabase } from '#tests/backend/support/prepared'
import { words } from '#tests/words'

/**
 * The defects of @supabase/lite 0.10.0 that the backend works around, in the order of docs/decisions/0030. Each test fails with lite
 * alone. After an upgrade, the tests show which workarounds are still needed and still work.
 */

const APP = 'app://bundle'

let folder: string
let backend: Backend
let ada: { client: SupabaseClient; id: string; email: string }

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vignette-defects-'))
  await copyPreparedDatabase(folder)
  backend = await startUnmanagedBackend(folder, { allowedOrigins: [APP] })
  ada = await signUpMember(backend, 'ada')
})

afterAll(async () => {
  await discard(backend)
  await rm(folder, { recursive: true, force: true })
})

/** Runs a query directly on the database and returns its single value. */
async function ask(sql: string): Promise<unknown> {
  const { rows } = await backend.exclusive(() => backend.pg.query<{ value: unknown }>(sql))
  return rows[0]?.value
}

const call = (path: string, init: RequestInit = {}) =>
  fetch(`${backend.url}${path}`, {
    ...init,
    headers: { apikey: backend.publishableKey, 'content-type': 'application/json', ...init.headers },
  })

describe('1: it grants all rights to all roles at its first request', () => {
  test('signed-out visitors and members have only the grants of the migrations', async () => {
    await ada.client.from('profiles').select('id')
    expect(await ask(`select has_table_privilege('anon', 'public.profiles', 'select') as value`)).toBe(false)
    expect(
      await ask(
        `select has_column_privilege('authenticated', 'public.profiles', 'created_at', 'update') as value`,
      ),
    ).toBe(false)
    const forged = await ada.client
      .from('profiles')
      .update({ created_at: '2000-01-01T00:00:00Z' })
      .eq('id', ada.id)
    expect(forged.error?.code).toBe('42501')
    const visitor = await clientOf(backend).from('profiles').select('id')
    expect(visitor.error?.code).toBe('42501')
  })
})

describe('2: it does not serialise transactions', () => {
  for (const { writes, tags } of [
    { writes: 20, tags: [] },
    { writes: 60, tags: ['long'] },
  ]) {
    test(`keeps ${writes} concurrent writes, and each response is correct`, { tags }, async () => {
      const contents = Array.from({ length: writes }, (_, index) => `${index} of ${writes} at once`)
      const results = await Promise.all(
        contents.map((content) => ada.client.from('posts').insert({ user_id: ada.id, content })),
      )
      expect(results.filter((result) => result.error !== null)).toEqual([])
      const kept = await ada.client.from('posts').select('content').in('content', contents)
      expect(kept.data?.map((post) => post.content).sort()).toEqual(contents.sort())
    })

    test(`${writes} concurrent requests keep the identity of their member`, { tags }, async () => {
      const names = ['bea', 'cyd', 'dov'].map((name) => `${name}${writes}`)
      const members = await Promise.all(names.map((name) => signUpMember(backend, name)))
      const rounds = Array.from({ length: Math.ceil(writes / 6) }, () =>
        members.map(async ({ client, id }) => {
          const { error } = await client.from('posts').insert({ user_id: id, content: 'mine' })
          const forged = await client.from('posts').insert({ user_id: ada.id, content: 'not mine' })
          return { error, forged: forged.error?.code }
        }),
      )
      const results = await Promise.all(rounds.flat())
      expect(results.every(({ error }) => error === null)).toBe(true)
      expect(new Set(results.map(({ forged }) => forged))).toEqual(new Set(['42501']))
    })
  }
})

describe('3: its CORS responses are unusable', () => {
  const paths = ['/auth/v1/token?grant_type=password', '/rest/v1/rpc/username_available', '/rest/v1/posts']

  test.each(paths)('a page of an allowed origin may call %s', async (path) => {
    const asked = await fetch(`${backend.url}${path}`, {
      method: 'OPTIONS',
      headers: {
        origin: APP,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'apikey,authorization,content-type,x-client-info,prefer',
      },
    })
    expect(asked.status).toBe(204)
    expect(asked.headers.get('access-control-allow-origin')).toBe(APP)
    expect(asked.headers.get('access-control-allow-methods')).toContain('POST')
    expect(asked.headers.get('access-control-allow-headers')).toContain('authorization')

    const answer = await call(path, { method: 'POST', headers: { origin: APP }, body: '{}' })
    expect(answer.headers.get('access-control-allow-origin')).toBe(APP)
    expect(answer.headers.get('vary')).toContain('Origin')
  })

  test('no response contains a wildcard origin', async () => {
    const answer = await call('/rest/v1/profiles?select=id')
    expect(answer.headers.get('access-control-allow-origin')).toBeNull()
  })
})

describe('4: its studio and system pages are open', () => {
  test.each(
    words(`
    / /_system/info /_system/config /_system/introspect /storage/v1/bucket /storage/v1/object/info/media/x
    /storage/v1/s3/media /authx/v1/settings /anything
  `),
  )('%s is not served', async (path) => {
    const answer = await call(path)
    expect(answer.status).toBe(404)
    expect(await answer.text()).not.toContain('<html')
  })

  test.each(['/rest/v1/profiles', '/auth/v1/settings'])('%s wants a key', async (path) => {
    expect((await fetch(`${backend.url}${path}`)).status).toBe(401)
  })
})

describe('5: .single() on a write with an embed returns an array', () => {
  const withAuthor = 'id,content,author:profiles!posts_user_id_fkey(username)'

  test('an insert and an update return the object', async () => {
    const inserted = await ada.client
      .from('posts')
      .insert({ user_id: ada.id, content: 'one' })
      .select(withAuthor)
      .single()
    expect(inserted.error).toBeNull()
    expect(inserted.data).toMatchObject({ content: 'one', author: { username: 'ada' } })
    const updated = await ada.client
      .from('posts')
      .update({ content: 'one more' })
      .eq('id', inserted.data?.id)
      .select(withAuthor)
      .single()
    expect(updated.data).toMatchObject({ content: 'one more', author: { username: 'ada' } })
  })

  test('no row is PGRST116', async () => {
    const none = await ada.client
      .from('posts')
      .update({ content: 'nowhere' })
      .eq('id', '00000000-0000-4000-8000-000000000000')
      .select(withAuthor)
      .single()
    expect(none.error).toMatchObject({ code: 'PGRST116', details: 'The result contains 0 rows' })
    expect(none.status).toBe(406)
  })
})

test('6: a check violation is a 400 with its SQLSTATE and constraint', async () => {
  const { error, status } = await ada.client
    .from('posts')
    .insert({ user_id: ada.id, content: 'x'.repeat(2_201) })
  expect(status).toBe(400)
  expect(error?.code).toBe('23514')
  expect(error?.message).toMatch(/violates check constraint/)
})

test('7: a search inside or() finds the matching rows', async () => {
  const names = ['Salt, Sea', 'Salt (Sea)', 'Salt 100% Sea', 'Salt back\\slash', 'Salt other']
  await Promise.all(
    names.map(async (full_name, index) => {
      const { client, id } = await signUpMember(backend, `salt${index}`)
      await client.from('profiles').update({ full_name }).eq('id', id)
    }),
  )
  const find = async (filter: string) => {
    const { data, error } = await ada.client.from('profiles').select('full_name').or(filter)
    expect(error).toBeNull()
    return data?.map((member) => member.full_name)
  }
  const either = (text: string) => find(`username.ilike."%${text}%",full_name.ilike."%${text}%"`)
  expect(await either('SALT, ')).toEqual(['Salt, Sea'])
  expect(await either('t (s')).toEqual(['Salt (Sea)'])
  expect(await either('100\\\\% ')).toEqual(['Salt 100% Sea'])
  expect(await either('back\\\\\\\\s')).toEqual(['Salt back\\slash'])
  expect(await either('salt3')).toEqual(['Salt back\\slash'])
})

test('7: several or() filters are combined with and', async () => {
  const found = await ada.client
    .from('profiles')
    .select('username')
    .or('username.eq.ada,username.eq.salt1')
    .or('username.eq.salt1,username.eq.salt2')
  expect(found.data).toEqual([{ username: 'salt1' }])
})

test('7: a value that is compared with a text stays that text', async () => {
  const usernames = ['null', 'true', '1.50', '0x10']
  await Promise.all(usernames.map((username) => signUpMember(backend, username)))
  for (const username of usernames) {
    const found = await ada.client.from('profiles').select('username').eq('username', username)
    expect(found.data).toEqual([{ username }])
    const others = await ada.client.from('profiles').select('username').neq('username', username)
    expect(others.data).not.toContainEqual({ username })
    expect(others.data).toContainEqual({ username: 'ada' })
  }
  const texts = ['{"a":1}', '"quoted"', ' between spaces ', '{}']
  for (const content of texts) {
    await ada.client
      .from('posts')
      .insert({ user_id: ada.id, content: `x${content}` })
      .throwOnError()
    await ada.client.from('posts').update({ content }).eq('content', `x${content}`).throwOnError()
    const found = await ada.client.from('posts').select('content').eq('content', content)
    expect(found.data).toEqual([{ content }])
  }
})

test('7: of two filters with one operator, lite would ignore the first, also of a deletion', async () => {
  const twice = await ada.client.from('likes').delete().neq('post_id', ada.id).neq('post_id', ada.id)
  expect(twice.error?.message).toBe('A parameter is given twice')
  const negated = ada.client.from('posts').select('id').not('id', 'eq', ada.id).not('id', 'gt', ada.id)
  expect((await negated).error?.message).toBe('A parameter is given twice')
})

test('8: times have the same format at the top level and in embeds', async () => {
  const { data } = await ada.client
    .from('posts')
    .select('created_at,author:profiles!posts_user_id_fkey(created_at)')
    .limit(1)
    .single()
  const iso = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?\+00:00$/
  expect(data?.created_at).toMatch(iso)
  expect(data).toMatchObject({ author: { created_at: expect.stringMatching(iso) } })
})

test('9: a second process on the same folder is refused', async () => {
  await expect(startUnmanagedBackend(folder)).rejects.toMatchObject({
    code: 'locked',
    message: expect.stringContaining('already using this data folder'),
  })
  const still = await ada.client.from('profiles').select('id').eq('id', ada.id)
  expect(still.data).toHaveLength(1)
})

test('10: reset codes go to the mail file, never to the output', async () => {
  const write = vi.spyOn(process.stdout, 'write')
  const print = vi.spyOn(console, 'log')
  await clientOf(backend).auth.resetPasswordForEmail(ada.email)
  const printed = [...write.mock.calls, ...print.mock.calls].flat().join(' ')
  write.mockRestore()
  print.mockRestore()
  const mails = await readFile(backend.mailFile, 'utf8')
  expect(mails).toContain(`To: ${ada.email}`)
  const [code] = /\b\d{6}\b/.exec(mails) ?? []
  expect(code).toBeDefined()
  expect(printed).not.toContain(code)

  const recovered = clientOf(backend)
  const { error } = await recovered.auth.verifyOtp({ email: ada.email, token: code ?? '', type: 'recovery' })
  expect(error).toBeNull()
})

test('11: an embed of messages does not mix in the columns of realtime.messages', async () => {
  const columns = 'id,messages!messages_conversation_id_fkey(id,content,sender_id)'
  const named = await ada.client.from('conversations').select(columns)
  expect(named.error).toBeNull()
  const all = await ada.client.from('conversations').select('id,messages(*)')
  expect(all.error).toBeNull()
})

describe('12: its sign-in limits and checks can be bypassed', () => {
  /** Requests a code for Ada. Returns it and its `token_hash`, which anyone can compute from the address and the code. */
  async function mailedCode() {
    await clientOf(backend).auth.resetPasswordForEmail(ada.email)
    const mails = await readFile(join(folder, 'mails.txt'), 'utf8')
    const code =
      mails
        .match(/code: (\d{6})/g)
        ?.at(-1)
        ?.slice(-6) ?? ''
    return { code, hash: createHash('sha256').update(`${ada.email}${code}`).digest('hex') }
  }

  test('a code is valid only with the e-mail it was sent to', async () => {
    const { code, hash } = await mailedCode()
    expect(code).toMatch(/^\d{6}$/)
    for (const body of [
      { type: 'recovery', token_hash: hash },
      { type: 'magiclink', token_hash: hash },
      { type: 'recovery', email: ada.email.slice(0, -1), token: `${ada.email.slice(-1)}${code}` },
      { type: 'recovery', email: [ada.email], token: code },
    ]) {
      const answer = await call('/auth/v1/verify', { method: 'POST', body: JSON.stringify(body) })
      expect([body, [400, 403].includes(answer.status)]).toEqual([body, true])
    }
    const link = await call(`/auth/v1/verify?type=recovery&token=${hash}`, { redirect: 'manual' })
    expect(link.status).toBe(404)
  })

  test('checks ten of many concurrent passwords, for any spelling of the path', async () => {
    const { email } = await signUpMember(backend, 'guessed')
    const guess = (path: string) =>
      call(path, { method: 'POST', body: JSON.stringify({ email, password: 'a wrong password' }) })
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => guess('/auth/v1/token?grant_type=password')),
    )
    const statuses = answers.map((answer) => answer.status)
    expect(statuses.filter((status) => status === 400)).toHaveLength(10)
    expect(statuses.filter((status) => status === 429)).toHaveLength(10)
    expect((await guess('/auth/v1/%74oken?grant_type=password')).status).toBe(404)
    const right = await clientOf(backend).auth.signInWithPassword({ email, password: PASSWORD })
    expect(right.error?.code).toBe('over_request_rate_limit')
  })

  test('an e-mail that is not a string is a bad request', async () => {
    const body = JSON.stringify({ email: [ada.email], password: PASSWORD })
    const answer = await call('/auth/v1/token?grant_type=password', { method: 'POST', body })
    expect(answer.status).toBe(400)
  })
})

test('13: a new password ends the other sessions, and keeps the one that set it', async () => {
  const { client, email } = await signUpMember(backend, 'renewed')
  const stolen = clientOf(backend)
  const { data } = await stolen.auth.signInWithPassword({ email, password: PASSWORD })
  expect((await client.auth.updateUser({ password: 'a new password' })).error).toBeNull()
  const refreshed = await stolen.auth.refreshSession()
  expect(refreshed.error?.code).toBe('refresh_token_not_found')
  const token = data.session?.access_token ?? ''
  const user = await call('/auth/v1/user', { headers: { authorization: `Bearer ${token}` } })
  expect(user.status).toBe(403)
  expect((await client.auth.getUser()).error).toBeNull()
  expect((await client.auth.refreshSession()).error).toBeNull()
})

test('a token that has expired, is not valid yet, was changed, or has another key or algorithm gives no access', async () => {
  const { jwtSecret } = await loadSecrets(join(folder, 'secrets.json'))
  const { data } = await ada.client.auth.getSession()
  const valid = data.session?.access_token ?? ''
  const claims = JSON.parse(Buffer.from(valid.split('.')[1] ?? '', 'base64url').toString())
  const now = Math.floor(Date.now() / 1000)
  const sign = (changed: Record<string, unknown>, secret = jwtSecret, alg = 'HS256') =>
    new SignJWT({ ...claims, ...changed }).setProtectedHeader({ alg }).sign(new TextEncoder().encode(secret))
  const read = async (token: string) => {
    const answer = await call('/rest/v1/profiles?select=id', {
      headers: { authorization: `Bearer ${token}` },
    })
    return answer.status
  }
  expect(await read(await sign({}))).toBe(200)
  const [header, , signature] = valid.split('.')
  const payload = Buffer.from(JSON.stringify({ ...claims, exp: now + 60 })).toString('base64url')
  for (const token of [
    await sign({ exp: now - 1 }),
    await sign({ nbf: now + 600 }),
    await sign({}, 'x'.repeat(64)),
    await sign({}, jwtSecret, 'HS512'),
    `${header}.${payload}.${signature}`,
  ])
    expect(await read(token)).toBe(401)
})

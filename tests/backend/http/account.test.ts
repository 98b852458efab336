import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import bcrypt from 'bcryptjs'
import { afterAll, describe, expect, test } from 'vitest'
import type { Backend } from '#/backend/start/start-backend'
import {
  clientOf,
  discard,
  PASSWORD,
  scratchFolder,
  signUpMember,
  startTestBackend,
  startUnmanagedBackend,
} from '#tests/backend/support/backend'
import { copyPreparedDatabase } from '#tests/backend/support/prepared'

const folder = await mkdtemp(join(tmpdir(), 'vignette-account-'))
await copyPreparedDatabase(folder)
const lines: string[] = []
const backend: Backend = await startUnmanagedBackend(folder, {}, lines)
afterAll(async () => {
  await discard(backend)
  await rm(folder, { recursive: true, force: true })
})

const query = async (sql: string, parameters: unknown[] = []) =>
  (await backend.exclusive(() => backend.pg.query<Record<string, unknown>>(sql, parameters))).rows

/** Moves all sessions of a member back in time. */
const age = (id: string, interval: string) =>
  query('update auth.sessions set created_at = created_at - $2::interval where user_id = $1', [id, interval])

const mails = () => readFile(join(folder, 'mails.txt'), 'utf8').catch(() => '')

async function mailedCode(email: string): Promise<string> {
  const mine = (await mails()).split(/^-{72}$/m).findLast((mail) => mail.includes(`To: ${email}\n`))
  return /code: (\d{6})/.exec(mine ?? '')?.[1] ?? ''
}

const signIn = (email: string, password = PASSWORD) =>
  clientOf(backend).auth.signInWithPassword({ email, password })

test('AUTH-19 the log names sign-ins, failures and changes by member, without addresses and secrets', async () => {
  const { client, email, id } = await signUpMember(backend, 'logged')
  const from = lines.length
  await signIn(email)
  await signIn(email, 'a wrong password')
  await signIn('nobody.at.all@example.com')
  await client.auth.updateUser({ password: 'another secret' })
  await client.auth.updateUser({ email: 'logged.new@example.com' })
  await clientOf(backend).auth.resetPasswordForEmail('logged.new@example.com')
  const code = await mailedCode('logged.new@example.com')
  await clientOf(backend).auth.verifyOtp({
    email: 'logged.new@example.com',
    token: '0000000',
    type: 'recovery',
  })
  await clientOf(backend).auth.verifyOtp({ email: 'logged.new@example.com', token: code, type: 'recovery' })
  const logged = lines.slice(from).filter((line) => line.includes('auth:'))
  expect(logged).toEqual([
    `info auth: member ${id}: signed in`,
    `warn auth: member ${id}: sign-in failed (400)`,
    'warn auth: unknown account: sign-in failed (400)',
    `info auth: member ${id}: changed the password`,
    `info auth: member ${id}: changed the e-mail`,
    `info auth: member ${id}: asked for a recovery code`,
    `info auth: member ${id}: signed in with a recovery code`,
  ])
  for (const secret of ['@', 'password', 'secret', code])
    expect(logged.filter((line) => line.replace('changed the password', '').includes(secret))).toEqual([])
})

test("a member's metadata, which every answer about the account has, stays as it was at the sign-up", async () => {
  const { client } = await signUpMember(backend, 'metadata')
  const metadata = async () => (await client.auth.getUser()).data.user?.user_metadata
  const before = await metadata()
  expect(before).toBeDefined()
  const { error } = await client.auth.updateUser({ data: { more: 'x'.repeat(10_000) } })
  expect([error?.status, error?.code]).toEqual([400, 'validation_failed'])
  expect(await metadata()).toEqual(before)
})

describe('AUTH-15 a new password or e-mail', () => {
  test('requires a sign-in within the last ten minutes', async () => {
    const { client, id, email } = await signUpMember(backend, 'stale')
    await age(id, '11 minutes')
    expect((await client.auth.refreshSession()).error).toBeNull()
    for (const change of [{ password: 'another one' }, { email: 'new.stale@example.com' }]) {
      const { error } = await client.auth.updateUser(change)
      expect([error?.status, error?.code]).toEqual([400, 'reauthentication_needed'])
    }
    expect((await signIn(email)).error).toBeNull()
    expect((await client.auth.signInWithPassword({ email, password: PASSWORD })).error).toBeNull()
    expect((await client.auth.updateUser({ password: 'another one' })).error).toBeNull()
    expect((await signIn(email)).error?.code).toBe('invalid_credentials')
  })

  test('is refused for an ended session', async () => {
    const { client } = await signUpMember(backend, 'gone.by')
    const { data } = await client.auth.getSession()
    await client.auth.signOut({ scope: 'local' })
    const answer = await fetch(`${backend.url}/auth/v1/user`, {
      method: 'PUT',
      headers: {
        apikey: backend.publishableKey,
        authorization: `Bearer ${data.session?.access_token}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ password: 'another one' }),
    })
    expect(answer.status).toBe(403)
  })

  test('an e-mail takes effect at once, and invalidates the recovery code of the old address', async () => {
    const { client, email, id } = await signUpMember(backend, 'moving')
    await clientOf(backend).auth.resetPasswordForEmail(email)
    const code = await mailedCode(email)
    expect(code).not.toBe('')
    const { data, error } = await client.auth.updateUser({ email: 'Moved@example.com' })
    expect([error, data.user?.email, data.user?.new_email]).toEqual([null, 'moved@example.com', undefined])
    expect(await mails()).not.toContain('To: moved@example.com')
    expect((await signIn('moved@example.com')).error).toBeNull()
    expect((await signIn(email)).error?.code).toBe('invalid_credentials')
    expect(await query('select email from auth.identities where user_id = $1', [id])).toEqual([
      { email: 'moved@example.com' },
    ])
    for (const address of [email, 'moved@example.com']) {
      const { error: refused } = await clientOf(backend).auth.verifyOtp({
        email: address,
        token: code,
        type: 'recovery',
      })
      expect(refused?.code).toBe('otp_expired')
    }
  })

  test('refuses another member’s e-mail and changes nothing', async () => {
    const { client, email } = await signUpMember(backend, 'first.one')
    const other = await signUpMember(backend, 'second.one')
    const { error } = await client.auth.updateUser({ email: other.email.toUpperCase() })
    expect(error?.code).toBe('email_exists')
    expect((await client.auth.getUser()).data.user?.email).toBe(email)
    expect((await client.auth.updateUser({ email })).data.user?.email).toBe(email)
  })
})

describe('AUTH-18 a password of more than 72 bytes', () => {
  /** 25 characters, and 75 bytes. */
  const LONG = '密'.repeat(25)
  const REFUSED = [400, 'validation_failed', expect.stringContaining('A password has at most 72 bytes')]

  test('is refused in words at sign-up, at a change and after a recovery, which takes one of 72', async () => {
    const { client, email } = await signUpMember(backend, 'long.password')
    for (const password of [LONG, 'x'.repeat(73), 'x'.repeat(145), 'x'.repeat(5_000)]) {
      const signedUp = await clientOf(backend).auth.signUp({ email: 'other@example.com', password })
      const changed = await client.auth.updateUser({ password })
      for (const { error } of [signedUp, changed])
        expect([error?.status, error?.code, error?.message]).toEqual(REFUSED)
    }
    await clientOf(backend).auth.resetPasswordForEmail(email)
    const recovering = clientOf(backend)
    const token = await mailedCode(email)
    expect((await recovering.auth.verifyOtp({ email, token, type: 'recovery' })).error).toBeNull()
    expect((await recovering.auth.updateUser({ password: LONG })).error?.message).toBe(
      (await client.auth.updateUser({ password: LONG })).error?.message,
    )
    expect((await signIn(email)).error).toBeNull()
    const fitting = LONG.slice(1)
    expect((await recovering.auth.updateUser({ password: fitting })).error).toBeNull()
    expect((await signIn(email, fitting)).error).toBeNull()
  })

  test('still signs in if it was accepted before', async () => {
    const { email } = await signUpMember(backend, 'old.password')
    const old = 'a long old password '.repeat(5)
    const hash = await bcrypt.hash(old, 4)
    await query('update auth.users set encrypted_password = $2 where email = $1', [email, hash])
    expect(Buffer.byteLength(old)).toBe(100)
    expect((await signIn(email, old)).error).toBeNull()
    expect((await signIn(email, `another${old}`)).error?.code).toBe('invalid_credentials')
  })
})

test('AUTH-15 a session records its user agent, and can end the other sessions', async () => {
  const { client, email, id } = await signUpMember(backend, 'devices')
  const phone = await fetch(`${backend.url}/auth/v1/token?grant_type=password`, {
    method: 'POST',
    headers: { apikey: backend.publishableKey, 'content-type': 'application/json', 'user-agent': 'A phone' },
    body: JSON.stringify({ email, password: PASSWORD }),
  })
  expect(phone.status).toBe(200)
  const list = async (): Promise<{ user_agent: string; is_current: boolean }[]> =>
    (await client.rpc('my_sessions')).data
  expect((await list()).map((one) => [one.is_current, one.user_agent === 'A phone'])).toEqual([
    [true, false],
    [false, true],
  ])
  expect((await client.auth.signOut({ scope: 'others' })).error).toBeNull()
  expect((await list()).map(({ is_current }) => is_current)).toEqual([true])
  expect(await query('select 1 from auth.refresh_tokens where user_id = $1', [id])).toHaveLength(1)
})

test('AUTH-16 a refresh token that was used long before ends the refresh tokens of its session', async () => {
  const { client, id } = await signUpMember(backend, 'copied')
  const { data } = await client.auth.getSession()
  const copied = data.session?.refresh_token ?? ''
  await client.auth.refreshSession()
  await client.auth.refreshSession()
  const reused = await clientOf(backend).auth.refreshSession({ refresh_token: copied })
  expect(reused.error?.code).toBe('refresh_token_already_used')
  expect((await client.auth.refreshSession()).error).not.toBeNull()
  expect(await query('select 1 from auth.refresh_tokens where user_id = $1 and not revoked', [id])).toEqual(
    [],
  )
})

test('AUTH-16 a session that is renewed again and again keeps a hundred refresh tokens', async () => {
  const { client, id } = await signUpMember(backend, 'renewed')
  const first = (await client.auth.getSession()).data.session?.refresh_token
  const tokens = () => query('select revoked from auth.refresh_tokens where user_id = $1', [id])
  await query(
    `insert into auth.refresh_tokens (id, token, user_id, session_id, revoked, parent, created_at, updated_at)
     select 'id' || n, 'token' || n, user_id, session_id, true, 'token' || n - 1, created_at - n * interval '1 hour', updated_at
     from auth.refresh_tokens cross join generate_series(1, 300) as n where token = $1`,
    [first],
  )
  expect(await tokens()).toHaveLength(301)
  expect((await client.auth.refreshSession()).error).toBeNull()
  const kept = await tokens()
  expect(kept).toHaveLength(100)
  expect(kept.filter(({ revoked }) => revoked === false)).toHaveLength(1)
  expect((await client.auth.refreshSession()).error).toBeNull()
})

test('AUTH-19 the database notes no sign-ins, which would keep the e-mail of a deleted account', async () => {
  const { client, email } = await signUpMember(backend, 'unnoted')
  await signIn(email)
  await client.auth.refreshSession()
  await client.auth.signOut()
  expect(await query('select payload from auth.audit_log_entries')).toEqual([])
})

describe('ACC-05 the embedded server answers a refresh that cannot succeed with a code that ends the session', () => {
  const refresh = async (refresh_token: unknown) => {
    const response = await fetch(`${backend.url}/auth/v1/token?grant_type=refresh_token`, {
      method: 'POST',
      headers: { apikey: backend.publishableKey, 'content-type': 'application/json' },
      body: JSON.stringify({ refresh_token }),
    })
    const body: { error_code?: string } = await response.json()
    return [response.status, body.error_code]
  }

  test.each([
    ['unknown', 'abcdefghijkl'],
    ['of another format', 'not-a-token-any-more'],
    ['empty', ''],
    ['too long', 'x'.repeat(5_000)],
    ['of another type', 7],
  ])('if the refresh token is %s', async (_, token) => {
    expect(await refresh(token)).toEqual([400, 'refresh_token_not_found'])
  })

  test('if the session was ended, or its account deleted', async () => {
    const { client, email } = await signUpMember(backend, 'ending')
    const other = await signIn(email)
    await client.auth.signOut({ scope: 'others' })
    expect(await refresh(other.data.session?.refresh_token)).toEqual([400, 'refresh_token_not_found'])
    const { data } = await client.auth.getSession()
    await client.rpc('delete_account')
    expect(await refresh(data.session?.refresh_token)).toEqual([400, 'refresh_token_not_found'])
  })
})

describe('AUTH-17 a recovery code', () => {
  const wrongThan = (code: string) => (code === '111111' ? '222222' : '111111')
  const verify = async (email: string, token: string) =>
    (await clientOf(backend).auth.verifyOtp({ email, token, type: 'recovery' })).error?.code ?? 'let in'

  test('is revoked after ten wrong attempts, and signing in still works', async () => {
    const { email } = await signUpMember(backend, 'guessed.at')
    await clientOf(backend).auth.resetPasswordForEmail(email)
    const code = await mailedCode(email)
    for (let tries = 0; tries < 10; tries += 1)
      expect(await verify(email, wrongThan(code))).toBe('otp_expired')
    expect(await verify(email, code)).toBe('otp_expired')
    expect(await query('select recovery_token from auth.users where email = $1', [email])).toEqual([
      { recovery_token: null },
    ])
    expect((await signIn(email)).error).toBeNull()
  })

  test('is revoked if the wrong attempts write the address in capitals that PostgreSQL converts to others', async () => {
    // JavaScript ends the word with ς, PostgreSQL with σ.
    const email = 'νίκος@example.com'
    expect((await clientOf(backend).auth.signUp({ email, password: PASSWORD })).error).toBeNull()
    await clientOf(backend).auth.resetPasswordForEmail(email)
    const code = await mailedCode(email)
    for (let tries = 0; tries < 10; tries += 1)
      expect(await verify(email.toUpperCase(), wrongThan(code))).toBe('otp_expired')
    expect(await verify(email, code)).toBe('otp_expired')
  })

  test('is protected from many concurrent guesses, of which ten are checked', async () => {
    const { email } = await signUpMember(backend, 'crowded')
    await clientOf(backend).auth.resetPasswordForEmail(email)
    const code = await mailedCode(email)
    const guesses = [...Array.from({ length: 39 }, () => wrongThan(code)), code]
    const results = await Promise.all(guesses.map((guess) => verify(email, guess)))
    expect(new Set(results)).toEqual(new Set(['otp_expired']))
  })

  test('is not replaced by a request within a minute', async () => {
    const { email } = await signUpMember(backend, 'hasty')
    expect((await clientOf(backend).auth.resetPasswordForEmail(email)).error).toBeNull()
    const code = await mailedCode(email)
    const again = await clientOf(backend).auth.resetPasswordForEmail(` ${email.toUpperCase()}`.trim())
    expect([again.error?.status, again.error?.code]).toEqual([429, 'over_email_send_rate_limit'])
    expect(again.error?.message).toMatch(
      /^For security purposes, you can only request this after \d+ seconds\.$/,
    )
    expect(await mailedCode(email)).toBe(code)
    expect(await verify(email, code)).toBe('let in')
  })

  test('gets the same responses for an address without an account', async () => {
    const nobody = 'nobody.here@example.com'
    expect((await clientOf(backend).auth.resetPasswordForEmail(nobody)).error).toBeNull()
    expect((await clientOf(backend).auth.resetPasswordForEmail(nobody)).error?.status).toBe(429)
    for (let tries = 0; tries < 11; tries += 1) expect(await verify(nobody, '123456')).toBe('otp_expired')
  })
})

describe('AUTH-19 the former e-mail', () => {
  const askForCode = async (email: string) => {
    expect((await clientOf(backend).auth.resetPasswordForEmail(email)).error).toBeNull()
    return mailedCode(email)
  }
  const verify = (email: string, token: string) =>
    clientOf(backend).auth.verifyOtp({ email, token, type: 'recovery' })
  const mailsTo = async (email: string) => (await mails()).split(`To: ${email}\n`).length - 1

  test('gets a mail, and recovers the account: it is the e-mail again, and password and sessions end', async () => {
    const { client, email, id } = await signUpMember(backend, 'robbed')
    const other = await signIn(email)
    await client.auth.updateUser({ email: 'thief@example.com' })
    expect(await mailsTo(email)).toBe(1)
    expect(await query('select id from auth.sessions where user_id = $1', [id])).toHaveLength(1)
    expect(
      (await clientOf(backend).auth.refreshSession(other.data.session ?? undefined)).error,
    ).not.toBeNull()

    const code = await askForCode(email)
    expect((await verify('thief@example.com', code)).error?.code).toBe('otp_expired')
    const { data, error } = await verify(email, code)
    expect([error, data.user?.id, data.user?.email]).toEqual([null, id, email])
    expect(await query('select email, encrypted_password from auth.users where id = $1', [id])).toEqual([
      { email, encrypted_password: null },
    ])
    expect((await client.auth.getUser()).error).not.toBeNull()
    expect((await signIn(email)).error?.code).toBe('invalid_credentials')
    // The address of the thief recovers nothing.
    expect(await askForCode('thief@example.com')).toBe('')
    expect(
      (await clientOf(backend).auth.signUp({ email: 'thief@example.com', password: PASSWORD })).error,
    ).toBeNull()
  })

  test('ends the right of an address in between, if the e-mail was changed to and fro', async () => {
    const { client, email, id } = await signUpMember(backend, 'looped')
    for (const address of ['fro@example.com', email, 'third@example.com'])
      expect((await client.auth.updateUser({ email: address })).error).toBeNull()

    const { data } = await verify(email, await askForCode(email))
    expect([data.user?.id, data.user?.email]).toEqual([id, email])
    for (const address of ['fro@example.com', 'third@example.com']) expect(await askForCode(address)).toBe('')
  })

  test('ends that right also by coming back without a recovery: who changed it and back has nothing left', async () => {
    const { client, email, id } = await signUpMember(backend, 'returned')
    for (const address of ['lender@example.com', email])
      expect((await client.auth.updateUser({ email: address })).error).toBeNull()
    expect(await askForCode('lender@example.com')).toBe('')
    // An address that no longer recovers the account ends no right by coming back.
    await query(
      `update private.account_changes set former_email = $2, changed_at = now() - interval '8 days' where member_id = $1`,
      [id, 'lender@example.com'],
    )
    expect((await client.auth.updateUser({ email: 'lender@example.com' })).error).toBeNull()
    expect((await verify(email, await askForCode(email))).data.user?.id).toBe(id)
  })

  test('tells the address that it replaces', async () => {
    const { client, email } = await signUpMember(backend, 'replaced')
    await client.auth.updateUser({ email: 'replaced.new@example.com' })
    expect(await mailsTo('replaced.new@example.com')).toBe(0)
    await verify(email, await askForCode(email))
    expect(await mailsTo('replaced.new@example.com')).toBe(1)
  })

  test('is held for seven days: nobody else can take it, and its own account can', async () => {
    const { client, email, id } = await signUpMember(backend, 'held')
    const other = await signUpMember(backend, 'keen')
    await client.auth.updateUser({ email: 'held.new@example.com' })
    const take = async () => [
      (await clientOf(backend).auth.signUp({ email, password: PASSWORD })).error?.code,
      (await other.client.auth.updateUser({ email })).error?.code,
    ]
    expect(await take()).toEqual(['user_already_exists', 'email_exists'])
    expect((await client.auth.updateUser({ email })).data.user?.email).toBe(email)
    await client.auth.updateUser({ email: 'held.new@example.com' })
    await query(
      `update private.account_changes set changed_at = now() - interval '7 days' where member_id = $1`,
      [id],
    )
    expect(await askForCode(email)).toBe('')
    expect(await take()).toEqual([undefined, 'email_exists'])
  })

  test('has the limits of a current one: one mail a minute, ten wrong codes', async () => {
    const { client, email } = await signUpMember(backend, 'besieged')
    await client.auth.updateUser({ email: 'besieged.new@example.com' })
    const code = await askForCode(email)
    expect((await clientOf(backend).auth.resetPasswordForEmail(email)).error?.status).toBe(429)
    for (let tries = 0; tries < 10; tries += 1)
      expect((await verify(email, code === '111111' ? '222222' : '111111')).error?.code).toBe('otp_expired')
    expect((await verify(email, code)).error?.code).toBe('otp_expired')
  })

  test('changes at most five times an hour', async () => {
    const { client } = await signUpMember(backend, 'restless')
    for (let n = 0; n < 5; n += 1)
      expect((await client.auth.updateUser({ email: `restless.${n}@example.com` })).error).toBeNull()
    expect((await client.auth.updateUser({ email: 'restless.5@example.com' })).error?.status).toBe(429)
  })
})

test('AUTH-19 a session that was not used for 30 days ends before the server takes requests', {
  tags: 'long',
}, async () => {
  const dataDir = await scratchFolder()
  const first = await startUnmanagedBackend(dataDir)
  const { client } = await signUpMember(first, 'absent')
  await first.exclusive(() =>
    // More than end at once.
    first.maintenance.exec(
      `set session_replication_role = replica;
      insert into auth.sessions (id, user_id) select gen_random_uuid(), user_id from auth.sessions, generate_series(1, 1500);
      update auth.sessions set created_at = now() - interval '31 days', refreshed_at = null;
      set session_replication_role = origin`,
    ),
  )
  await discard(first)
  const second = await startTestBackend(dataDir)
  const { data } = await client.auth.getSession()
  const { error } = await clientOf(second).auth.refreshSession(data.session ?? undefined)
  expect(error?.status).toBe(400)
  expect((await second.exclusive(() => second.pg.query('select id from auth.sessions'))).rows).toEqual([])
})

import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { BROADCASTS_CHANNEL } from '#/backend/database/setup-realtime'
import { CLAIMS, openCommunity } from './support/community'

const { community, ada, ben } = await openCommunity('ada', 'ben')

const explained = z.tuple([
  z.object({ 'QUERY PLAN': z.tuple([z.object({ Plan: z.object({ 'Shared Hit Blocks': z.number() }) })]) }),
])

/** Runs a statement as an API request with the token of this session. */
function as(session: string, member: string, sql: string, parameters: unknown[] = []) {
  const claims = JSON.stringify({ sub: member, session_id: session, role: 'authenticated' })
  return community.pg.transaction(async (tx) => {
    await tx.query(CLAIMS, [claims, member])
    return (await tx.query<Record<string, unknown>>(sql, parameters)).rows
  })
}

/** Signs a member in, `ago` before now, on a device that registers its id unless that is null. */
async function signIn(member: string, ago: string, device: string | null = randomUUID()): Promise<string> {
  const session = randomUUID()
  await community.sql`insert into auth.sessions (id, user_id, user_agent)
    values (${session}, ${member}, ${'Firefox/145.0'})`
  await community.sql`update private.sign_ins set created_at = now() - ${ago}::interval
    where session_id = ${session}`
  if (device !== null) await as(session, member, 'select register_device($1)', [device])
  return session
}

const asked = async (session: string, member: string) =>
  (await as(session, member, 'select id, user_agent from new_sign_ins()')).map(({ id }) => id)

/** A member whose first session, of a registered device, is five days old. */
async function joinWithDevice(username: string) {
  const member = await community.join(username)
  await community.sql`delete from auth.sessions where id = ${member}`
  const device = randomUUID()
  return { member, device, first: await signIn(member, '5 days', device) }
}

const answer = (session: string, member: string, signIn: string, wasMe: boolean) =>
  as(session, member, 'select answer_sign_in($1, $2)', [signIn, wasMe])

const endOf = async (session: string) => {
  const [row] = await community.sql`select reason, ended_at from session_end(${session})`
  return row ?? null
}

test('SAFE-07 a member has at most three hundred sessions, so that all can be ended in one statement: those used last stay', async () => {
  const member = await community.join('nora')
  await community.sql`delete from auth.sessions where id = ${member}`
  // As an earlier version left them.
  await community.pg.exec(`set session_replication_role = replica;
    insert into auth.sessions (id, user_id, created_at, refreshed_at)
    select gen_random_uuid(), '${member}', now() - n * interval '1 minute', case n when 450 then now() at time zone 'utc' end
    from generate_series(1, 450) as n;
    set session_replication_role = origin`)
  const sessions = async () =>
    z.array(z.object({ id: z.string(), age: z.number() })).parse(
      await community.sql`select id, floor(extract(epoch from now() - created_at) / 60)::integer as age
          from auth.sessions where user_id = ${member} order by age`,
    )
  const first = await signIn(member, '0 days', null)
  expect(await sessions()).toHaveLength(351)
  const second = await signIn(member, '0 days', null)
  const kept = await sessions()
  expect(kept).toHaveLength(300)
  expect(kept.slice(0, 2).map(({ id }) => id)).toEqual(expect.arrayContaining([first, second]))
  expect(kept.at(-1)?.age).toBe(450)
  expect(kept.at(-2)?.age).toBe(297)
})

test('SAFE-07 of a member, two thousand ended sign-ins are kept, the latest: each question about new devices reads all of them', async () => {
  const member = await community.join('nelly')
  await community.pg.query(
    `insert into private.sign_ins (session_id, member_id, created_at, ended_at)
      select gen_random_uuid(), $1, now() - n * interval '1 minute', now() from generate_series(1, 2150) as n`,
    [member],
  )
  const ended = async () => {
    const [row] = await community.sql`select count(*)::integer as count,
        floor(extract(epoch from now() - min(created_at)) / 60)::integer as oldest
      from private.sign_ins where member_id = ${member} and ended_at is not null`
    return row
  }
  await signIn(member, '0 days', null)
  expect(await ended()).toMatchObject({ count: 2_050 })
  await signIn(member, '0 days', null)
  expect(await ended()).toEqual({ count: 2_000, oldest: 2_000 })
})

test('SAFE-07 a sign-in of a member with a thousand sessions reads each once, whatever the statistics say', async () => {
  const member = await community.join('nadia')
  await community.pg.exec(`analyze auth.sessions; analyze private.sign_ins; set session_replication_role = replica;
    insert into auth.sessions (id, user_id) select gen_random_uuid(), '${member}' from generate_series(1, 1000);
    insert into private.sign_ins (session_id, member_id, ended_at) select gen_random_uuid(), '${member}', now() from generate_series(1, 2000);
    set session_replication_role = origin`)
  const [result] = (
    await community.pg.query<Record<string, unknown>>(
      `explain (analyze, buffers, format json) insert into auth.sessions (id, user_id) values (gen_random_uuid(), $1)`,
      [member],
    )
  ).rows
  const [{ 'QUERY PLAN': plan }] = explained.parse([result])
  expect(plan[0].Plan['Shared Hit Blocks']).toBeLessThan(20_000)
})

describe('AUTH-19 a sign-in on a new device', () => {
  test('is asked about on the other devices, not on the device itself, and not at the first sign-in', async () => {
    const { member, first } = await joinWithDevice('cora')
    expect(await asked(first, member)).toEqual([])
    const later = await signIn(member, '1 day')
    const latest = await signIn(member, '1 hour')
    expect(await asked(first, member)).toEqual([latest, later])
    expect(await asked(later, member)).toEqual([latest])
    expect(await asked(latest, member)).toEqual([])
    expect(await as(first, member, 'select user_agent from new_sign_ins() limit 1')).toEqual([
      { user_agent: 'Firefox/145.0' },
    ])
  })

  test('is still asked about after its session has ended, and where the older device has signed in again since', async () => {
    const { member, first, device } = await joinWithDevice('dana')
    const thief = await signIn(member, '1 day')
    await community.sql`delete from auth.sessions where id = any (${[first, thief]})`
    const again = await signIn(member, '1 hour', device)
    expect(await as(again, member, 'select id, user_agent from new_sign_ins()')).toEqual([
      { id: thief, user_agent: 'Firefox/145.0' },
    ])
  })

  test('is one that registers no device within a minute', async () => {
    const { member, first } = await joinWithDevice('emil')
    await signIn(member, '50 seconds', null)
    expect(await asked(first, member)).toEqual([])
    const silent = await signIn(member, '70 seconds', null)
    expect(await asked(first, member)).toEqual([silent])
  })

  test('is none of a device that has signed in before', async () => {
    const { member, first, device } = await joinWithDevice('fay')
    const phone = randomUUID()
    const once = await signIn(member, '2 days', phone)
    await answer(first, member, once, true)
    await signIn(member, '1 hour', phone)
    await signIn(member, '1 minute', device)
    expect(await asked(first, member)).toEqual([])
  })

  test('is answered for all devices by one that was asked, and by no other', async () => {
    const { member, first } = await joinWithDevice('gus')
    const second = await signIn(member, '2 days')
    const third = await signIn(member, '1 hour')
    await answer(third, member, third, true)
    await answer(third, member, second, true)
    await answer(ada, ada, second, true)
    expect(await asked(first, member)).toEqual([third, second])
    await answer(first, member, third, true)
    expect(await asked(first, member)).toEqual([second])
    expect(await asked(second, member)).toEqual([])
  })

  test('that the member does not know is new again the next time', async () => {
    const { member, first } = await joinWithDevice('hal')
    const device = randomUUID()
    await answer(first, member, await signIn(member, '1 day', device), false)
    expect(await asked(first, member)).toEqual([])
    const again = await signIn(member, '1 hour', device)
    expect(await asked(first, member)).toEqual([again])
  })

  test('is broadcast to the other devices once it has registered, and the first device of an account to nobody', async () => {
    const sent: { topic: string; payload: unknown }[] = []
    const stop = await community.pg.listen(BROADCASTS_CHANNEL, (text) => sent.push(JSON.parse(text)))
    const { member } = await joinWithDevice('kit')
    expect(sent).toEqual([])
    const phone = await signIn(member, '0 seconds')
    await stop()
    const notice = { table: 'sign_ins', type: 'INSERT', ids: [phone] }
    expect(sent.map(({ topic, payload }) => [topic, payload])).toEqual([
      [`member:${member}`, { ...notice, own: false }],
      [`member:${member}`, { ...notice, own: true }],
    ])
  })

  test('is found in work that grows with the number of sign-ins, not with its square', async () => {
    const { member, first } = await joinWithDevice('olga')
    const pages = async (count: number) => {
      await community.sql`insert into private.sign_ins (session_id, member_id, created_at, device)
         select gen_random_uuid(), ${member}, now() - n * interval '1 minute', gen_random_uuid() from generate_series(1, ${count}::integer) as n`
      await community.sql('analyze private.sign_ins')
      const explain = 'explain (analyze, buffers, format json) select id from new_sign_ins()'
      await as(first, member, explain)
      const [
        [
          {
            'QUERY PLAN': [{ Plan: plan }],
          },
        ],
      ] = [explained.parse(await as(first, member, explain))]
      return plan['Shared Hit Blocks']
    }
    const few = await pages(100)
    expect(await pages(900)).toBeLessThan(20 * few)
  })

  test('cannot register as another device later', async () => {
    const { member, first, device } = await joinWithDevice('ira')
    const thief = await signIn(member, '1 day')
    await as(thief, member, 'select register_device($1)', [device])
    expect(await asked(first, member)).toEqual([thief])
  })
})

describe('AUTH-19 an ended session', () => {
  const gotrue = (statements: string, member: string, kept: string) =>
    community.pg.exec(
      `begin; ${statements} where id = '${member}';
       delete from auth.sessions where user_id = '${member}' and id <> '${kept}'; commit`,
    )

  test('names a changed password or e-mail and the time', async () => {
    const { member, first } = await joinWithDevice('joe')
    const phone = await signIn(member, '1 day')
    expect(await endOf(phone)).toBeNull()
    await gotrue(`update auth.users set encrypted_password = 'new'`, member, first)
    expect(await endOf(phone)).toEqual({ reason: 'password', ended_at: expect.any(String) })
    expect(await endOf(first)).toBeNull()
    const tablet = await signIn(member, '1 hour')
    await gotrue(`update auth.users set email = 'jo@new.example'`, member, first)
    expect((await endOf(tablet))?.reason).toBe('email')
  })

  test('names nothing for a sign-out long after a change, and is unknown after 30 days', async () => {
    const { member, first } = await joinWithDevice('kai')
    await community.sql`update auth.users set encrypted_password = 'new' where id = ${member}`
    await community.sql`update private.account_changes set changed_at = now() - interval '2 minutes'
      where member_id = ${member}`
    await community.sql`delete from auth.sessions where id = ${first}`
    expect(await endOf(first)).toEqual({ reason: null, ended_at: expect.any(String) })
    await community.sql`update private.sign_ins set ended_at = now() - interval '30 days'
      where session_id = ${first}`
    expect(await endOf(first)).toBeNull()
    expect(await endOf(randomUUID())).toBeNull()
  })

  test('is every session of the account if a mailed link has confirmed a new e-mail', async () => {
    const { member, first } = await joinWithDevice('lea')
    const phone = await signIn(member, '1 day')
    await community.sql`update auth.users set email_change = 'lea@new.example' where id = ${member}`
    expect(await endOf(first)).toBeNull()
    await community.sql`update auth.users set email = email_change, email_change = null where id = ${member}`
    expect([(await endOf(first))?.reason, (await endOf(phone))?.reason]).toEqual(['email', 'email'])
  })
})

test('AUTH-19 a member signs out one of their devices, and none of another member', async () => {
  const { member, first } = await joinWithDevice('mia')
  const phone = await signIn(member, '1 day')
  const live = async () =>
    (await community.sql`select id from auth.sessions where user_id = ${member}`).length
  await community.as(ben)`select end_session(${phone})`
  expect(await live()).toBe(2)
  await as(first, member, 'select end_session($1)', [phone])
  expect(await live()).toBe(1)
  await as(phone, member, 'select end_session($1)', [first])
  expect(await live()).toBe(1)
})

test('AUTH-19 the cleanup ends sessions that were not used for 30 days, and forgets what is older', async () => {
  const { member } = await joinWithDevice('nia')
  const sessions = { unused: randomUUID(), used: randomUUID(), fresh: randomUUID() }
  await community.sql(
    `insert into auth.sessions (id, user_id, created_at, refreshed_at) values
      ($1, $4, now() - interval '90 days', (now() - interval '31 days') at time zone 'utc'),
      ($2, $4, now() - interval '90 days', (now() - interval '29 days') at time zone 'utc'),
      ($3, $4, now() - interval '29 days', null)`,
    [...Object.values(sessions), member],
  )
  await community.sql('select private.cleanup(20)')
  expect(await endOf(sessions.unused)).not.toBeNull()
  expect([await endOf(sessions.used), await endOf(sessions.fresh)]).toEqual([null, null])
  const old = `now() - interval '31 days'`
  await community.sql(`update private.sign_ins set ended_at = ${old} where session_id = $1`, [
    sessions.unused,
  ])
  await community.sql(
    `insert into private.account_changes (member_id, kind, changed_at) values ($1, 'password', ${old})`,
    [member],
  )
  const [row] = await community.sql('select private.cleanup(20) as removed')
  expect(row?.removed).toBe(2)
  expect(await community.sql`select 1 from private.account_changes where member_id = ${member}`).toEqual([])
})

test('AUTH-19 the recovery by a former address leaves the many new passwords since then as they are', async () => {
  const member = await community.join('otto')
  await community.pg.query(
    `insert into private.account_changes (member_id, kind, former_email)
      values ($1, 'email', 'otto.before@example.com'), ($1, 'password', null), ($1, 'email', 'otto.between@example.com')`,
    [member],
  )
  const rows = () =>
    community.sql`select kind, former_email, xmin::text from private.account_changes where member_id = ${member} order by id`
  const before = await rows()
  await community.pg.query('select private.restore_email($1, gen_random_uuid())', ['otto.before@example.com'])
  const after = await rows()
  expect(after.map(({ former_email }) => former_email).filter((address) => address !== null)).toEqual([])
  expect(after.find(({ kind }) => kind === 'password')).toEqual(before[1])
  expect(await community.sql`select email from auth.users where id = ${member}`).toEqual([
    { email: 'otto.before@example.com' },
  ])
})

test('SAFE-07 of new passwords, which nothing limits, the latest is kept, and every change of an e-mail', async () => {
  const member = await community.join('olive')
  const set = (column: string, value: string) =>
    community.pg.query(`update auth.users set ${column} = $2 where id = $1`, [member, value])
  for (const value of ['olive.one@example.com', 'olive.two@example.com']) {
    await set('encrypted_password', value)
    await set('email', value)
    await set('encrypted_password', `${value} again`)
  }
  expect(
    await community.sql`select kind, former_email from private.account_changes where member_id = ${member} order by id`,
  ).toEqual([
    { kind: 'email', former_email: expect.any(String) },
    { kind: 'email', former_email: 'olive.one@example.com' },
    { kind: 'password', former_email: null },
  ])
})

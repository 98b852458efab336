import { PGlite } from '@electric-sql/pglite'
import type { PgliteConnection } from '@supabase/lite/pglite'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { openMigrated } from '#tests/backend/support/prepared'

let connection: PgliteConnection

beforeAll(async () => {
  connection = await openMigrated()
  await connection.driver.exec(`
    create table public.notes (id int primary key, owner text not null, about jsonb, created_at timestamptz);
    alter table public.notes enable row level security;
    create policy own on public.notes for select to authenticated
      using (owner = current_setting('request.jwt.claim.sub', true));
    grant select on public.notes to authenticated;
    insert into public.notes values (1, 'ada', '{"a": [1]}', '2026-01-01'), (2, 'grace', null, null)`)
})

afterAll(() => connection.close())

const query = <Row>(sql: string, parameters?: unknown[]) => connection.driver.query<Row>(sql, parameters)

const preparedCount = async () =>
  (await query<{ count: number }>('select count(*)::int as count from pg_prepared_statements')).rows[0]?.count

async function asMember(member: string, sql: string): Promise<unknown[]> {
  await query('BEGIN')
  await query("SELECT set_config('role', $1, true)", ['authenticated'])
  await query("SELECT set_config('request.jwt.claim.sub', $1, true)", [member])
  const { rows } = await query(sql)
  await query('COMMIT')
  return rows
}

test('sends a known statement in one call', async () => {
  await query('select $1::int + 1 as sum', [1])
  const calls = vi.spyOn(PGlite.prototype, 'execProtocolRaw')
  const { rows } = await query('select $1::int + 1 as sum', [2])
  const count = calls.mock.calls.length
  calls.mockRestore()
  expect(rows).toEqual([{ sum: 3 }])
  expect(count).toBe(1)
})

test.each([
  ['select * from public.notes order by id', []],
  ['select id from public.notes where id = any($1) and owner <> $2', [[1, 2], "it's"]],
  ["update public.notes set about = $1 where owner = 'nobody'", [{ b: null }]],
  ['insert into public.notes (id, owner) values ($1, $2), ($3, null || $2) returning id', [3, 'x', 4]],
  ['delete from public.notes where id > $1', [2]],
  ['select 1 as one where false', []],
  ['select $1::text as value', [['x']]],
  ['select $1::int as value', ['x']],
])('has the results and errors of PGlite: %s', async (sql, parameters) => {
  const { driver } = connection
  const settle = async (run: typeof driver.query) => {
    await driver.exec('begin')
    const [result] = await Promise.allSettled([run.call(driver, sql, parameters)])
    await driver.exec('rollback')
    return result.status === 'fulfilled'
      ? result.value
      : { code: result.reason.code, text: String(result.reason) }
  }
  const expected = await settle(PGlite.prototype.query)
  expect(await settle(driver.query)).toEqual(expected)
  expect(await settle(driver.query)).toEqual(expected)
})

test('evaluates policies for the role and member of each execution', async () => {
  const sql = 'select id from public.notes order by id'
  const results = []
  for (const member of ['ada', 'grace', 'ada', 'nobody']) results.push(await asMember(member, sql))
  results.push((await query(sql)).rows)
  results.push(await asMember('grace', sql))
  expect(results).toEqual([[{ id: 1 }], [{ id: 2 }], [{ id: 1 }], [], [{ id: 1 }, { id: 2 }], [{ id: 2 }]])
})

test('uses a policy that has changed', async () => {
  const sql = 'select id from public.notes where id < 3 order by id'
  expect(await asMember('ada', sql)).toEqual([{ id: 1 }])
  await query('alter policy own on public.notes using (false)')
  expect(await asMember('ada', sql)).toEqual([])
  await query(
    `alter policy own on public.notes using (owner = current_setting('request.jwt.claim.sub', true))`,
  )
  expect(await asMember('ada', sql)).toEqual([{ id: 1 }])
})

test('prepares a statement again after an error', async () => {
  const sql = 'select * from public.notes where id = $1'
  await query(sql, [1])
  await query('alter table public.notes add column added int')
  await expect(query(sql, [1])).rejects.toThrow('cached plan must not change result type')
  expect((await query<{ added: null }>(sql, [1])).rows[0]?.added).toBeNull()
  await expect(query('select 1 / $1::int as quotient', [0])).rejects.toMatchObject({ code: '22012' })
  expect((await query('select 1 / $1::int as quotient', [1])).rows).toEqual([{ quotient: 1 }])
  await expect(query('select from where')).rejects.toMatchObject({ code: '42601' })
})

test('prepares statements again after a definition', async () => {
  const create = (result: number) =>
    connection.driver.exec(`drop function if exists public.answer;
      create function public.answer() returns int language sql as 'select ${result}'`)
  const sql = `select prosrc as source from pg_proc where oid = 'public.answer'::regproc`
  for (const result of [1, 2]) {
    await create(result)
    expect((await query(sql)).rows).toEqual([{ source: `select ${result}` }])
  }
})

test('keeps a limited number of statements', async () => {
  for (let index = 0; index < 60; index += 1) await query(`select ${index} as value`)
  expect(await preparedCount()).toBeLessThanOrEqual(41)
  expect((await query('select 0 as value')).rows).toEqual([{ value: 0 }])
})

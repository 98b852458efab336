import { PGlite } from '@electric-sql/pglite'
import type { PgliteConnection } from '@supabase/lite/pglite'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { mergeSettings } from '#/backend/database/merge-settings'
import { signUp } from '#tests/backend/support/members'
import { openMigrated } from '#tests/backend/support/prepared'
import { startServer, type TestServer } from '#tests/backend/support/server'

let connection: PgliteConnection
let server: TestServer

beforeAll(async () => {
  connection = await openMigrated()
  server = await startServer('pglite')
})

afterAll(async () => {
  await connection.close()
  await server.close()
})

/** A connection with merged settings, and the statements that reach the database. */
function recorded() {
  const sent: [sql: string, parameters: unknown][] = []
  const pg = {
    query: async (sql: string, parameters?: unknown[]) => {
      sent.push([sql, parameters])
      return { rows: [], fields: [] }
    },
  }
  mergeSettings(pg as never)
  return { sent, query: pg.query }
}

describe('settings of a transaction', () => {
  test('are sent as one statement before the next one', async () => {
    const { sent, query } = recorded()
    await query('BEGIN')
    await query("SELECT set_config('role', $1, true)", ['authenticated'])
    await query("SELECT set_config('response.status', '', true)", [])
    await query('SET LOCAL ROLE "authenticated"')
    await query("SELECT set_config('request.jwt.claims', $1, true)", ['{"sub":"it\'s"}'])
    await query('select 1')
    await query('COMMIT')
    expect(sent.map(([sql]) => sql)).toEqual([
      'BEGIN',
      "select set_config('role', $1, true), set_config('response.status', $2, true), set_config('request.jwt.claims', $3, true)",
      'select 1',
      'COMMIT',
    ])
    expect(sent[1]?.[1]).toEqual(['authenticated', '', '{"sub":"it\'s"}'])
  })

  test('are dropped at the end of a transaction without statements', async () => {
    const { sent, query } = recorded()
    for (const sql of ['BEGIN', "SELECT set_config('role', $1, true)", 'ROLLBACK', 'select 1'])
      await query(sql, ['authenticated'])
    expect(sent.map(([sql]) => sql)).toEqual(['BEGIN', 'ROLLBACK', 'select 1'])
  })

  test('keep a role that differs from the setting', async () => {
    const { sent, query } = recorded()
    await query("SELECT set_config('role', $1, true)", ['anon'])
    await query('SET LOCAL ROLE "authenticated"')
    expect(sent.map(([sql]) => sql)).toEqual([
      "select set_config('role', $1, true)",
      'SET LOCAL ROLE "authenticated"',
    ])
  })

  test('that lite sends can be merged, and are local to the transaction', async () => {
    const sent = vi.spyOn(PGlite.prototype, 'execProtocolRaw')
    const { client, id } = await signUp(server, 'ada')
    const { data, error } = await client.from('profiles').select('id').eq('id', id)
    const statements = sent.mock.calls.map(([bytes]) => Buffer.from(bytes).toString('latin1'))
    sent.mockRestore()
    expect(error).toBeNull()
    expect(data).toEqual([{ id }])
    // The text of a statement is sent once, when it is prepared.
    const settings = new Set(statements.filter((text) => /set_config|SET LOCAL/i.test(text)))
    expect([...settings]).toEqual([
      expect.stringMatching(/select set_config\('role', \$1, true\), .*'request.jwt.claims'/),
    ])
    const [after] = await server.query(
      "select current_user as who, current_setting('request.jwt.claims', true) as claims",
    )
    expect(after).toEqual({ who: 'postgres', claims: '' })
  })
})

test.each([
  ['text', ['Fog, with "quotes"', 'Ü']],
  ['uuid', [crypto.randomUUID(), crypto.randomUUID()]],
  ['int4', [1, -2]],
  ['bool', [true, false]],
])('reads and writes arrays of %s', async (type, values) => {
  const { rows } = await connection.driver.query<{ value: unknown }>(`select $1::${type}[] as value`, [
    values,
  ])
  expect(rows[0]?.value).toEqual(values)
})

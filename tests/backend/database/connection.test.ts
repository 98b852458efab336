import { expect, test } from 'vitest'
import { signUp } from '#tests/backend/support/members'
import { openEmpty } from '#tests/backend/support/prepared'
import { startServer } from '#tests/backend/support/server'

test('role and claims of a request end with its transaction', async () => {
  const server = await startServer('pglite')
  try {
    const { client, id } = await signUp(server, 'ada')
    const { data, error } = await client.from('profiles').select('id').eq('id', id)
    expect(error).toBeNull()
    expect(data).toEqual([{ id }])
    const [after] = await server.query(
      "select current_user as who, current_setting('request.jwt.claims', true) as claims",
    )
    expect(after).toEqual({ who: 'postgres', claims: '' })
  } finally {
    await server.close()
  }
})

test('results are parsed without the parsers for arrays of rows, which PGlite would copy for each', async () => {
  const connection = await openEmpty()
  const { driver } = connection
  try {
    const { rows } = await driver.query<{ oid: number }>(
      "select typarray as oid from pg_type where typtype = 'c' and typarray <> 0",
    )
    expect(rows.length).toBeGreaterThan(100)
    expect(rows.filter(({ oid }) => oid in driver.parsers)).toEqual([])
    const arrays = await driver.query(
      "select array['a'] as texts, array['b'::name] as names, array[true] as flags",
    )
    expect(arrays.rows).toEqual([{ texts: ['a'], names: ['b'], flags: [true] }])
  } finally {
    await connection.close()
  }
})

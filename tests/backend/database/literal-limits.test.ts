import { expect, test } from 'vitest'
import { withLiteralLimits } from '#/backend/database/literal-limits'
import { feedRequest } from '#tests/backend/load/feed-request'
import { signUp } from '#tests/backend/support/members'
import { startServer } from '#tests/backend/support/server'

test.each([
  [
    'select (select 1 where "a" = $1 limit $2) from "t" where "b" = $3 limit $4 offset $5',
    ['x', 1, 'y', 8, 16],
    'select (select 1 where "a" = $1 limit 1) from "t" where "b" = $2 limit 8 offset $3',
    ['x', 'y', 16],
  ],
  // A limit of a cursor that a client sent as text, and quoted texts and names, stay as they are.
  ['select 1 limit $1', ['8'], 'select 1 limit $1', ['8']],
  ['select 1 limit $1', [-1], 'select 1 limit $1', [-1]],
  [
    `select 'it''s limit $1', "limit $1" from "t" limit $1`,
    [3],
    `select 'it''s limit $1', "limit $1" from "t" limit 3`,
    [],
  ],
  ['select $1, $1, $2 limit $3', ['a', null, 0], 'select $1, $1, $2 limit 0', ['a', null]],
])('writes limits into the statement: %s', (sql, parameters, text, left) => {
  expect(withLiteralLimits(sql, parameters)).toEqual([text, left])
})

test('the statement of the feed has a general plan, which is not planned again at each request', async () => {
  const server = await startServer('pglite')
  try {
    const { client, id } = await signUp(server, 'ada')
    for (let count = 0; count < 10; count += 1) await feedRequest(client, id).throwOnError()
    const [plans] = await server.query(`
      select custom_plans::int as custom, generic_plans::int as general
      from pg_prepared_statements where statement like 'select "id", %"public"."posts" order by%'`)
    // PostgreSQL always plans the first five calls for their parameters.
    expect(plans).toEqual({ custom: 5, general: 5 })
  } finally {
    await server.close()
  }
})

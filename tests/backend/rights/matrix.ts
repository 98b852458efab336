import { beforeAll, describe, expect, test } from 'vitest'
import { tryAll } from '#tests/backend/rights/attempt'
import type { Cast } from '#tests/backend/rights/cast'
import { EXPECTED } from '#tests/backend/rights/expected'
import { type Action, parse, ROLES } from '#tests/backend/rights/parse'

const TABLES = parse(EXPECTED)

function nameOf(action: Action): string {
  return action.kind === 'update' ? `update of ${action.column}` : action.kind
}

/** Every cell of expected.ts, tried through supabase-js. */
export function describeMatrix(cast: () => Cast): void {
  test('the table of rights names every table and every column there is', async () => {
    const columns = await cast().server.query(`
      select c.relname as "table", a.attname as "column"
      from pg_catalog.pg_class c
      join pg_catalog.pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v', 'm', 'f')`)
    const named = TABLES.flatMap(({ table, lines }) =>
      lines.flatMap(({ action }) => (action.kind === 'update' ? [`${table}.${action.column}`] : [])),
    )
    expect(named.toSorted()).toEqual(columns.map((one) => `${one.table}.${one.column}`).toSorted())
  })

  for (const privacy of ['public', 'private'] as const) {
    describe(`Ada's account is ${privacy}`, () => {
      beforeAll(() => cast().restore(privacy))
      for (const rights of TABLES) {
        for (const { action, cells } of rights.lines) {
          const asked = ROLES.filter((role) => cells[privacy][role] !== null)
          if (asked.length === 0) continue
          test(`SET-04 ${rights.table}: ${nameOf(action)}`, async () => {
            const outcomes = await tryAll(cast(), rights, action, privacy, asked)
            expect(outcomes).toEqual(Object.fromEntries(asked.map((role) => [role, cells[privacy][role]])))
          })
        }
      }
    })
  }
}

import { beforeAll, describe, expect, test } from 'vitest'
import { tryAll } from '#tests/backend/rights/attempt'
import type { Cast, Privacy } from '#tests/backend/rights/cast'
import { EXPECTED } from '#tests/backend/rights/expected'
import { type Action, type Cells, parse, ROLES } from '#tests/backend/rights/parse'

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
        test.each(askable(rights.lines, privacy))(
          `SET-04 ${rights.table}: $name`,
          async ({ action, cells }) => {
            const asked = ROLES.filter((role) => cells[role] !== null)
            const outcomes = await tryAll(cast(), rights, action, privacy, (role) => asked.includes(role))
            expect(outcomes).toEqual(Object.fromEntries(asked.map((role) => [role, cells[role]])))
          },
        )
      }
    })
  }
}

function askable(lines: { action: Action; cells: Record<Privacy, Cells> }[], privacy: Privacy) {
  return lines
    .map(({ action, cells }) => ({ name: nameOf(action), action, cells: cells[privacy] }))
    .filter(({ cells }) => ROLES.some((role) => cells[role] !== null))
}

import { beforeAll, describe, expect, test } from 'vitest'
import { tryAll } from './attempt'
import type { Cast, Privacy } from './cast'
import { EXPECTED } from './expected'
import { type Action, isEverDone, type Line, parse, ROLES, type Role, type TableRights } from './parse'

const TABLES = parse(EXPECTED)

function nameOf(action: Action): string {
  return action.kind === 'update' ? `update of ${action.column}` : action.kind
}

/**
 * Whether `npm test` tries this cell; `npm run test:long` tries the others. With a public account: the owner, a stranger, a visitor
 * and every role that differs from the stranger. With a private account: every cell that differs from the public one.
 */
function isEssential({ lines }: TableRights, line: Line, privacy: Privacy, role: Role): boolean {
  const { action, cells } = line
  if (privacy === 'private') {
    return cells.private[role] !== cells.public[role] || (action.kind === 'select' && role === 'stranger')
  }
  // All members lack the grant on such a column: requests show it on the first of the table, and states-matrix.ts on each in SQL.
  const isNeverUpdated = (one: Line) => one.action.kind === 'update' && !isEverDone(one)
  if (isNeverUpdated(line) && line !== lines.find(isNeverUpdated)) return false
  const isKey = role === 'owner' || role === 'stranger' || role === 'out'
  return isKey || cells.public[role] !== cells.public.stranger
}

/** Tries every cell of expected.ts with supabase-js. */
export function describeMatrix(cast: () => Cast): void {
  test('the matrix contains every table and every column', async () => {
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
        for (const line of rights.lines) {
          const { action, cells } = line
          const title = `SET-04 ${rights.table}: ${nameOf(action)}`
          const possible = ROLES.filter((role) => cells[privacy][role] !== null)
          const isShort = (role: Role) => isEssential(rights, line, privacy, role)
          const tryAs = async (asked: Role[]) => {
            const outcomes = await tryAll(cast(), rights, action, privacy, asked)
            expect(outcomes).toEqual(Object.fromEntries(asked.map((role) => [role, cells[privacy][role]])))
          }
          const essential = possible.filter(isShort)
          const others = possible.filter((role) => !isShort(role))
          if (essential.length > 0) test(title, () => tryAs(essential))
          if (others.length > 0)
            test(`${title} as ${others.join(', ')}`, { tags: 'long' }, () => tryAs(others))
        }
      }
    })
  }
}

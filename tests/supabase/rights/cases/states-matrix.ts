import { describe, expect, test } from 'vitest'
import { BY_ID } from '#tests/supabase/rights/attempt'
import type { Cast, Name, Privacy } from '#tests/supabase/rights/cast'
import { EXPECTED } from '#tests/supabase/rights/expected'
import { type Line, parse, type TableRights } from '#tests/supabase/rights/parse'
import { otherValue, type Subject, subjectsOf } from '#tests/supabase/rights/subjects'
import type { MemberState } from '#tests/supabase/schema/support/groups'
import { OWN_ROWS } from './member-states'

const TABLES = parse(EXPECTED)

/**
 * Tries a statement as a member and takes it back, so that the matrix is one statement for each column: with requests, as in matrix.ts,
 * it takes far longer. Nobody is refused with PT401, for which the app renews the session.
 */
export const TRY = `
create or replace function pg_temp.try_as(member uuid, room text, statement text, changes text) returns text language plpgsql as $$
declare
  changed integer;
  before text;
  after text;
begin
  execute room using member;
  if changes is not null then
    execute changes into before;
  end if;
  perform set_config('request.jwt.claim.sub', member::text, true), set_config('request.jwt.claims', json_build_object(
    'sub', member, 'role', 'authenticated', 'session_id', (select id from auth.sessions where user_id = member limit 1)
  )::text, true), set_config('role', 'authenticated', true);
  execute statement;
  get diagnostics changed = row_count;
  if changes is not null then
    perform set_config('role', 'none', true);
    execute changes into after;
    changed := (before is distinct from after)::integer;
  end if;
  raise exception using errcode = 'PT299', message = changed;
exception
  when sqlstate 'PT299' then return case sqlerrm when '0' then 'no' when '1' then 'yes' else sqlerrm || ' rows' end;
  when others then
    return case when sqlstate ~ '^(42501|428C9|PT4(?!01)\\d\\d)$' then 'no' else sqlstate || ' ' || sqlerrm end;
end
$$;`

/** Somebody who asks, and what they may do by the cells of a line. */
interface Column {
  name: string
  role: 'owner' | 'stranger'
  /** Prepares all members. */
  sql: string
  expected: (cell: boolean, rights: TableRights, line: Line) => boolean
}

const inState = (state: string) =>
  `insert into private.member_states (member_id, state) select id, '${state}' from public.profiles`
/** In a group with all others, as which somebody finds nothing of theirs that a stranger does not find. */
const inGroup = (state: MemberState) => `
  with made as (insert into public.conversations (kind, name) values ('group', 'All') returning id)
  insert into public.conversation_members (conversation_id, member_id, state, joined_at, left_at)
  select made.id, p.id, case p.username when 'sid' then '${state}' else 'in' end, now(),
    case when p.username = 'sid' and '${state}' in ('left', 'removed') then now() end
  from made, public.profiles p`
const asStaff = (role: string) =>
  `insert into private.staff (member_id, role) select id, '${role}' from public.profiles where username = 'sid'`
const onlyOwnRows: Column['expected'] = (cell, { table }, { action }) =>
  cell && action.kind === 'select' && table in OWN_ROWS
const unchanged: Column['expected'] = (cell) => cell

const COLUMNS: Column[] = [
  // That the statements are those of the matrix.
  { name: 'active', role: 'owner', sql: '', expected: unchanged },
  { name: 'a stranger', role: 'stranger', sql: '', expected: unchanged },
  { name: 'limited', role: 'owner', sql: inState('limited'), expected: unchanged },
  { name: 'pending', role: 'owner', sql: inState('pending'), expected: onlyOwnRows },
  { name: 'suspended', role: 'owner', sql: inState('suspended'), expected: onlyOwnRows },
  { name: 'moderator', role: 'stranger', sql: asStaff('moderator'), expected: unchanged },
  { name: 'staff-owner', role: 'stranger', sql: asStaff('owner'), expected: unchanged },
  { name: 'group member', role: 'stranger', sql: inGroup('in'), expected: unchanged },
  { name: 'former group member', role: 'stranger', sql: inGroup('removed'), expected: unchanged },
]

type Row = Record<string, unknown>

export const quoted = (value: unknown): string =>
  value === null ? 'null' : `'${String(value).replaceAll("'", "''")}'`
export const where = (key: Row) =>
  Object.entries(key)
    .map(([column, value]) => `${column} = ${quoted(value)}`)
    .join(' and ')

function insertion(table: string, row: Row): string {
  return `insert into public.${table} (${Object.keys(row).join()}) values (${Object.values(row).map(quoted).join()})`
}

export async function currentRow({ server }: Cast, table: string, { key }: Subject): Promise<Row> {
  const [row] = await server.query(`select to_jsonb(t) as current from public.${table} t where ${where(key)}`)
  return (row?.current ?? {}) as Row
}

/** The SQL of what matrix.ts requests; of a function that takes ids, also the row that it changes. */
export function statementOf(
  cast: Cast,
  { table, people }: Pick<TableRights, 'table' | 'people'>,
  { action }: Pick<Line, 'action'>,
  subject: Subject,
  me: string,
  current: Row,
): [string, string | null] {
  const byId =
    action.kind === 'delete' || action.kind === 'insert' ? BY_ID[action.kind].get(table) : undefined
  if (byId !== undefined) {
    const changed = action.kind === 'delete' ? subject.key : subject.fresh(me)
    return [
      `select public.${byId}(array['${changed.id ?? changed.blocked_id}'::uuid])`,
      `select t::text from public.${table} t where ${where(changed)}`,
    ]
  }
  switch (action.kind) {
    case 'select':
      return [`select * from public.${table} where ${where(subject.key)}`, null]
    case 'update': {
      const value = quoted(otherValue(action.column, current[action.column], cast))
      return [
        `update public.${table} set ${action.column} = ${value} where ${where(subject.key)}`,
        `select t::text from public.${table} t where ${where(subject.key)}`,
      ]
    }
    case 'delete':
      return [`delete from public.${table} where ${where(subject.key)}`, null]
    case 'insert':
      return [insertion(table, subject.fresh(me)), null]
    case 'forge':
      return [insertion(table, subject.fresh(cast.members[people.owner as Name].id)), null]
  }
}

/**
 * The matrix once more for the owner of each row in each state, and for a stranger with each role (docs/decisions/0109-member-state-and-roles.md)
 * and in a group with the others. Rows of groups are in groups.ts.
 */
export function describeStatesMatrix(cast: () => Cast): void {
  /** The attempts of a column: what each is, whether it is allowed, and its SQL. */
  async function attemptsOf({ role, expected }: Column, privacy: Privacy) {
    const subjects = subjectsOf(cast())
    const attempts: { what: string; outcome: string; sql: string }[] = []
    for (const rights of TABLES) {
      const subject = subjects[rights.table]
      const name = rights.people[role]
      if (subject === undefined || name === undefined) throw new Error(`Nobody to try ${rights.table} as`)
      const current = await currentRow(cast(), rights.table, subject)
      const me = cast().members[name].id
      for (const line of rights.lines) {
        const cell = line.cells[privacy][role]
        if (cell === null) continue
        const { action } = line
        const room = subject.makeRoom?.before.includes(action.kind) ? subject.makeRoom.sql : 'select $1'
        const texts = [me, room, ...statementOf(cast(), rights, line, subject, me, current)]
        attempts.push({
          what: `${rights.table}: ${action.kind} ${action.kind === 'update' ? action.column : ''}`,
          outcome: expected(cell, rights, line) ? 'yes' : 'no',
          sql: `(${attempts.length}, ${texts.map(quoted).join()})`,
        })
      }
    }
    return attempts
  }

  describe.each(['public', 'private'] as const)(
    'the matrix by states and roles, with a %s account',
    (privacy) => {
      for (const column of COLUMNS) {
        // An owner's state means the same with a private account.
        const tags = privacy === 'private' && column.role === 'owner' && column.sql !== '' ? ['long'] : []
        test(column.name, { tags }, async () => {
          await cast().restore(privacy)
          const attempts = await attemptsOf(column, privacy)
          const outcomes = await cast().server.exec(`${TRY} ${column.sql};
        select pg_temp.try_as(member::uuid, room, statement, changes) as outcome
        from (values ${attempts.map(({ sql }) => sql).join()}) as attempts (place, member, room, statement, changes) order by place`)
          await cast().server.exec(
            `delete from private.member_states; delete from private.staff; delete from public.conversations where kind = 'group'`,
          )
          expect(attempts.length).toBeGreaterThan(200)
          expect(attempts.map(({ what }, place) => [what, outcomes[place]?.outcome])).toEqual(
            attempts.map(({ what, outcome }) => [what, outcome]),
          )
        })
      }
    },
  )
}

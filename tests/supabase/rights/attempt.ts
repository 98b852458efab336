import type { SupabaseClient } from '@supabase/supabase-js'
import type { Cast, Privacy } from './cast'
import type { Action, Role, TableRights } from './parse'
import { otherValue, type Subject, subjectsOf } from './subjects'

/** The result of an attempt: whether it was allowed, or a description of an unexpected result. */
export type Outcome = boolean | string

type Row = Record<string, unknown>

/**
 * Whether a grant, a policy, one of our own functions (PT4xx) or the expression of a generated column (428C9) rejected the
 * request.
 */
function isRefusal(code: string): boolean {
  return code === '42501' || code === '428C9' || /^PT4\d\d$/.test(code)
}

/** Every row of a table as text, to check what a write has done independent of its response. */
async function rowsOf(cast: Cast, table: string): Promise<Set<string>> {
  const rows = await cast.server.query(`select t::text as row from public.${table} t`)
  return new Set(rows.map(({ row }) => String(row)))
}

/** A value that differs from the one in the row. */
async function valueFor(cast: Cast, table: string, column: string, key: Row): Promise<unknown> {
  const conditions = Object.keys(key).map((name, index) => `t.${name} = $${index + 1}`)
  const sql = `select to_jsonb(t) -> '${column}' as value from public.${table} t where ${conditions.join(' and ')}`
  const [found] = await cast.server.query(sql, Object.values(key))
  return otherValue(column, found?.value, cast)
}

interface Attempt {
  cast: Cast
  rights: TableRights
  action: Action
  role: Role
  /** The new value of an update. */
  value: unknown
}

function askerOf({ cast, rights, role }: Attempt): { client: SupabaseClient; id: string } {
  const name = rights.people[role]
  // A visitor without an account uses a member's id.
  return name ? cast.members[name] : { client: cast.out, id: cast.members.sid.id }
}

async function trySelect(attempt: Attempt, subject: Subject, columns: string[]): Promise<Outcome> {
  const { client } = askerOf(attempt)
  const { data, error } = await client.from(attempt.rights.table).select(columns.join()).match(subject.key)
  if (error) return isRefusal(error.code) ? false : `${error.code} ${error.message}`
  if (attempt.role === 'out') return 'succeeded without an account'
  return data.length === 1
}

/** The member id on a new row: the actor's, or the owner's if it is forged. */
function nameOnRow(attempt: Attempt): string {
  const owner = attempt.rights.people.owner
  return attempt.action.kind === 'forge' && owner ? attempt.cast.members[owner].id : askerOf(attempt).id
}

/** Tables whose rows clients delete or insert by functions that take ids, and by no request of their own. */
export const BY_ID = {
  delete: new Map([
    ['posts', 'delete_posts'],
    ['comments', 'delete_comments'],
    ['stories', 'delete_stories'],
  ]),
  insert: new Map([['blocks', 'block_members']]),
}

async function write(attempt: Attempt, subject: Subject) {
  const { rights, action, value } = attempt
  const { client, id } = askerOf(attempt)
  const table = client.from(rights.table)
  const byId =
    action.kind === 'delete' || action.kind === 'insert' ? BY_ID[action.kind].get(rights.table) : undefined
  if (byId !== undefined) {
    const wanted = action.kind === 'delete' ? subject.key.id : subject.fresh(id).blocked_id
    return client.rpc(byId, { ids: [wanted] })
  }
  switch (action.kind) {
    case 'select':
      throw new Error('A select writes nothing')
    case 'update':
      return table.update({ [action.column]: value }).match(subject.key)
    case 'delete':
      return table.delete().match(subject.key)
    case 'insert':
    case 'forge':
      return table.insert(subject.fresh(nameOnRow(attempt)))
  }
}

/** `untouched` are the table's rows before the write. */
async function tryWrite(attempt: Attempt, subject: Subject, untouched: Set<string>): Promise<Outcome> {
  const { cast, rights, action, role } = attempt
  let before = untouched
  if (subject.makeRoom?.before.includes(action.kind)) {
    await cast.server.query(subject.makeRoom.sql, [nameOnRow(attempt)])
    before = await rowsOf(cast, rights.table)
  }
  const { error } = await write(attempt, subject)
  const after = await rowsOf(cast, rights.table)
  const deleted = [...before].filter((row) => !after.has(row)).length
  const inserted = [...after].filter((row) => !before.has(row)).length
  return error ? outcomeOfError(error, deleted + inserted) : outcomeOfWrite(action, role, deleted, inserted)
}

function outcomeOfError(error: { code: string; message: string }, changes: number): Outcome {
  if (changes > 0) return `refused with ${error.code}, and yet ${changes} rows differ`
  return isRefusal(error.code) ? false : `${error.code} ${error.message}`
}

function outcomeOfWrite(action: Action, role: Role, deleted: number, inserted: number): Outcome {
  if (deleted === 0 && inserted === 0) return role === 'out' ? 'succeeded without an account' : false
  const [expectedDeleted, expectedInserted] = {
    select: [0, 0],
    insert: [0, 1],
    forge: [0, 1],
    update: [1, 1],
    delete: [1, 0],
  }[action.kind]
  return deleted === expectedDeleted && inserted === expectedInserted
    ? true
    : `${deleted} rows were deleted and ${inserted} inserted`
}

/** Tries an action in each role on the same rows, and restores the rows. */
export async function tryAll(
  cast: Cast,
  rights: TableRights,
  action: Action,
  privacy: Privacy,
  asked: Role[],
): Promise<Partial<Record<Role, Outcome>>> {
  const subject = subjectsOf(cast)[rights.table]
  if (!subject) throw new Error(`No row of ${rights.table} to try on`)
  const columns = rights.lines.flatMap((line) => (line.action.kind === 'update' ? [line.action.column] : []))
  const outcomes: Partial<Record<Role, Outcome>> = {}
  if (action.kind === 'select') {
    for (const role of asked) {
      outcomes[role] = await trySelect({ cast, rights, action, role, value: null }, subject, columns)
    }
    return outcomes
  }
  const untouched = await rowsOf(cast, rights.table)
  const value =
    action.kind === 'update' ? await valueFor(cast, rights.table, action.column, subject.key) : null
  for (const role of asked) {
    outcomes[role] = await tryWrite({ cast, rights, action, role, value }, subject, untouched)
    // A rejected attempt has changed nothing.
    if (outcomes[role] !== false || subject.makeRoom) await cast.restore(privacy)
  }
  return outcomes
}

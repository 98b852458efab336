import type { PGlite } from '@electric-sql/pglite'
import { SERVED_CHANGES, SERVED_CHANNELS } from '#/backend/realtime/served'

/** What every client of its version may rely on: the types and rights of columns, references, functions and channels. */
const OFFERED = `
select format('%s.%s %s: %s', c.relname, a.attname, format_type(a.atttypid, a.atttypmod), what) as line
from pg_class c
join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
cross join unnest(array['select', 'insert', 'update']) as what
where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'v')
  and has_column_privilege('authenticated', c.oid, a.attnum, what)
union all
select format('%s: delete', c.relname) from pg_class c
where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'v')
  and has_table_privilege('authenticated', c.oid, 'delete')
union all
select format('%s: %s.%s refers to %s, %s', k.conname, c.relname, a.attname, p.relname, case when exists (
    select from pg_constraint u where u.conrelid = c.oid and u.contype in ('p', 'u') and u.conkey = k.conkey
  ) then 'one' else 'many' end)
from pg_constraint k
join pg_class c on c.oid = k.conrelid
join pg_class p on p.oid = k.confrelid
join pg_attribute a on a.attrelid = c.oid and array[a.attnum] = k.conkey
where k.contype = 'f' and c.relnamespace = 'public'::regnamespace and p.relnamespace = 'public'::regnamespace
union all
select format('%s(): %s', p.proname, line)
from pg_proc p
cross join lateral (
  select 'may be called' where has_function_privilege('authenticated', p.oid, 'execute')
  union all select 'may be called before sign-in' where has_function_privilege('anon', p.oid, 'execute')
  union all select 'returns ' || case when p.proretset then 'rows of ' else '' end || format_type(p.prorettype, null)
  union all
  select format('takes %s%s', p.proargnames[at] || ' ', format_type(p.proargtypes[at - 1], null))
  from generate_series(1, p.pronargs) as at
  union all
  select format('returns the column %s %s', o.name, format_type(o.type, null))
  from unnest(p.proargnames, p.proargmodes, p.proallargtypes) as o (name, mode, type) where o.mode = 't'
) as lines (line)
where p.pronamespace = 'public'::regnamespace
  and (has_function_privilege('authenticated', p.oid, 'execute') or has_function_privilege('anon', p.oid, 'execute'))`

/** What a client must give. */
const NEEDED = `
select format('%s.%s', c.relname, a.attname) as line
from pg_class c
join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.attnotnull and not a.atthasdef and a.attidentity = ''
  and has_column_privilege('authenticated', c.oid, a.attnum, 'insert')
union all
select format('%s(%s)', p.proname, p.proargnames[at])
from pg_proc p
cross join generate_series(1, p.pronargs - p.pronargdefaults) as at
where p.pronamespace = 'public'::regnamespace
  and (has_function_privilege('authenticated', p.oid, 'execute') or has_function_privilege('anon', p.oid, 'execute'))`

const NEED = 'needed: '
const ID = '00000000-0000-4000-8000-000000000000'

/** Names of private channels, as apps join them. */
const TOPICS = [`member:${ID}`, `post:${ID}`, `conversation:${ID}:1`, `room:${ID}:1`]

/**
 * What apps may use of a database and its server, one line each, sorted. A line that begins with 'needed: ' is what they must give.
 */
export async function contractOf(pg: PGlite): Promise<string[]> {
  const offered = await pg.query<{ line: string }>(OFFERED)
  const needed = await pg.query<{ line: string }>(NEEDED)
  return [
    ...offered.rows.map(({ line }) => line),
    ...needed.rows.map(({ line }) => NEED + line),
    ...TOPICS.filter((topic) => SERVED_CHANNELS.topic.test(topic)).map(
      (topic) => `channel ${topic.replace(ID, '<id>')}`,
    ),
    ...SERVED_CHANNELS.broadcasts.map((event) => `members broadcast ${event}`),
    ...Object.entries(SERVED_CHANGES).map(([table, column]) => `changes of ${table} by ${column}`),
  ].sort()
}

/** What breaks apps of an earlier contract: what they use and is gone, and what they do not know that they must give. */
export function brokenBy(now: readonly string[], earlier: readonly string[]): string[] {
  const gone = earlier.filter((line) => !line.startsWith(NEED) && !now.includes(line))
  // They do not use a table or function that they do not know.
  const isUsed = (line: string) => {
    const [owner = ''] = /^\w+(?:\.|(?=\())/.exec(line.slice(NEED.length)) ?? []
    return earlier.some((each) => each.startsWith(owner.endsWith('.') ? owner : `${owner}()`))
  }
  const asked = now.filter((line) => line.startsWith(NEED) && !earlier.includes(line) && isUsed(line))
  return [...gone, ...asked]
}

import type { PGlite } from '@electric-sql/pglite'

const OWN = `n.nspname in ('public', 'private')`
const rights = (acl: string) => `(select array_agg(g::text order by g::text) from unnest(${acl}) as g)`

/** What a database is made of: the name of each object, and all that can be said of it without oids. */
const OBJECTS = {
  schema: `select n.nspname as name, ${rights('n.nspacl')} as rights, obj_description(n.oid, 'pg_namespace') as comment
    from pg_namespace n where ${OWN} or n.nspname = 'extensions'`,
  relation: `select c.oid::regclass::text as name, c.relkind as kind,
      ${rights(`coalesce(c.relacl, acldefault(case c.relkind when 'S' then 's' else 'r' end::"char", c.relowner))`)} as rights, c.reloptions,
      c.relrowsecurity, c.relforcerowsecurity, c.relreplident, obj_description(c.oid, 'pg_class') as comment,
      pg_get_indexdef(case when c.relkind = 'i' then c.oid end) as index, pg_get_viewdef(case when c.relkind = 'v' then c.oid end) as view,
      (select json_agg(a.attname order by a.attnum) from pg_attribute a where a.attrelid = c.oid and c.relkind <> 'i' and a.attnum > 0 and not a.attisdropped) as columns,
      -- Of one table, PostgreSQL checks them in the order in which they were made.
      (select json_agg(k.conname order by k.oid) from pg_constraint k where k.conrelid = c.oid and k.contype = 'f') as references
    from pg_class c join pg_namespace n on n.oid = c.relnamespace where ${OWN}`,
  column: `select c.oid::regclass || '.' || a.attname as name, format_type(a.atttypid, a.atttypmod) as type, a.attnotnull,
      pg_get_expr(d.adbin, d.adrelid) as value, a.attgenerated, a.attidentity, a.attstorage, a.attcollation::regcollation::text as collation,
      ${rights('a.attacl')} as rights, col_description(c.oid, a.attnum) as comment
    from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
    left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
    where ${OWN} and c.relkind in ('r', 'v', 'c') and a.attnum > 0 and not a.attisdropped`,
  constraint: `select conname || ' on ' || conrelid::regclass as name, pg_get_constraintdef(k.oid) as definition, condeferrable, condeferred,
      convalidated, obj_description(k.oid, 'pg_constraint') as comment
    from pg_constraint k join pg_namespace n on n.oid = k.connamespace where ${OWN}`,
  function: `select p.oid::regprocedure::text as name, case p.prokind when 'a' then p.prosrc else pg_get_functiondef(p.oid) end as definition,
      ${rights('p.proacl')} as rights, p.proowner::regrole::text as owner, obj_description(p.oid, 'pg_proc') as comment
    from pg_proc p join pg_namespace n on n.oid = p.pronamespace where ${OWN}`,
  type: `select t.oid::regtype::text as name, t.typtype, ${rights('t.typacl')} as rights, obj_description(t.oid, 'pg_type') as comment
    from pg_type t join pg_namespace n on n.oid = t.typnamespace where ${OWN} and t.typcategory <> 'A'`,
  trigger: `select tgname || ' on ' || tgrelid::regclass as name, pg_get_triggerdef(oid) as definition, tgenabled,
      obj_description(oid, 'pg_trigger') as comment
    from pg_trigger where not tgisinternal`,
  policy: `select policyname || ' on ' || schemaname || '.' || tablename as name, permissive, roles::text[], cmd, qual, with_check from pg_policies`,
  settings: `select 'of role ' || setrole::regrole as name, setconfig from pg_db_role_setting`,
  extension: `select extname as name, extnamespace::regnamespace::text as schema from pg_extension`,
  publication: `select pubname || ' of ' || schemaname || '.' || tablename as name from pg_publication_tables`,
  bucket: `select id as name, public, file_size_limit, allowed_mime_types from storage.buckets`,
}

/** The lines that describe each object of a database, by its name. */
type Description = Map<string, string[]>

type Row = Record<string, unknown>

const toLines = (row: Row) =>
  Object.entries(row).flatMap(([key, value]) =>
    (typeof value === 'string' ? value : JSON.stringify(value))
      .split('\n')
      .map((line) => `${key}: ${line.trim()}`),
  )

async function describeDatabase(pg: PGlite): Promise<Description> {
  const description: Description = new Map()
  const read = async (sql: string) => (await pg.query<Row & { name: string }>(sql)).rows
  for (const [kind, sql] of Object.entries(OBJECTS))
    for (const { name, ...row } of await read(sql)) description.set(`${kind} ${name}`, toLines(row))
  // The rows that migrations write themselves.
  const tables =
    await read(`select c.oid::regclass::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind = 'r' and n.nspname in ('public', 'private', 'cron')`)
  for (const { name } of tables) {
    const rows = await read(`select to_jsonb(t) as row from ${name} t order by 1`)
    description.set(`rows of ${name}`, rows.flatMap(toLines))
  }
  return description
}

/** What differs between two databases, which have names here, by the objects. */
export async function findDifferences(databases: Record<string, PGlite>): Promise<string[]> {
  const [one = '', other = ''] = Object.keys(databases)
  const descriptions = Object.values(databases).map(describeDatabase)
  const [first = new Map(), second = new Map()] = await Promise.all(descriptions)
  return [...new Set([...first.keys(), ...second.keys()])].sort().flatMap((name) => {
    const [lines, others] = [first.get(name), second.get(name)]
    if (lines === undefined || others === undefined) return [`${name} is only in ${lines ? one : other}`]
    if (lines.join('\n') === others.join('\n')) return []
    const only = (some: string[], rest: string[], where: string) =>
      some.filter((line) => !rest.includes(line)).map((line) => `\n  ${where}: ${line}`)
    const changed = [...only(lines, others, one), ...only(others, lines, other)]
    return [`${name} differs${changed.length === 0 ? ' in the order of its lines' : changed.join('')}`]
  })
}

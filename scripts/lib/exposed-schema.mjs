// @ts-check

/** Tables in which members may read or write columns. `texts` have no order that filters may compare. */
const TABLES = `
select c.relname as name, json_build_object(
  'table', c.relname,
  'columns', json_agg(a.attname order by a.attnum),
  'texts', coalesce(json_agg(a.attname order by a.attnum) filter (where a.atttypid::regtype in ('text', 'jsonb')), '[]'),
  'key', (
    select json_agg(k.attname order by array_position(p.conkey, k.attnum))
    from pg_constraint p
    join pg_attribute k on k.attrelid = c.oid and k.attnum = any (p.conkey)
    where p.conrelid = c.oid and p.contype = 'p'
  )
) as definition
from pg_class c
join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'v')
  and has_column_privilege('authenticated', c.oid, a.attnum, 'select, insert, update')
group by c.oid, c.relname
order by c.relname`

/**
 * Foreign keys between tables of the schema: the table, its column, the other table, and how many rows of the first refer to a row of
 * the other. A reference to the own table is left out, because it could be embedded in both directions.
 */
const REFERENCES = `
select k.conname as name, json_build_array(c.relname, a.attname, p.relname, case when exists (
    select from pg_constraint u where u.conrelid = c.oid and u.contype in ('p', 'u') and u.conkey = k.conkey
  ) then 'one' else 'many' end
) as definition
from pg_constraint k
join pg_class c on c.oid = k.conrelid
join pg_class p on p.oid = k.confrelid
join pg_attribute a on a.attrelid = c.oid and array[a.attnum] = k.conkey
where k.contype = 'f' and c.oid <> p.oid
  and c.relnamespace = 'public'::regnamespace and p.relnamespace = 'public'::regnamespace
order by k.conname`

/**
 * Functions that members or visitors may call: arguments, whether they only read, and the table or the columns of the rows that they
 * return. PostgREST offers one whose argument has no name as a column of its table, and not as a call.
 */
const FUNCTIONS = `
select p.proname as name, json_build_object(
  'args', to_json(coalesce(p.proargnames[1:p.pronargs], '{}')),
  'reads', p.provolatile <> 'v',
  'table', (select relname from pg_class c where c.reltype = p.prorettype and c.relnamespace = p.pronamespace),
  'columns', coalesce(json_agg(o.name order by o.at) filter (where o.mode = 't'), '[]'),
  'texts', coalesce(json_agg(o.name order by o.at) filter (where o.mode = 't' and o.type::regtype in ('text', 'jsonb')), '[]')
) as definition
from pg_proc p
left join lateral unnest(p.proargnames, p.proargmodes, p.proallargtypes) with ordinality as o (name, mode, type, at) on true
where p.pronamespace = 'public'::regnamespace
  and (p.pronargs = 0 or p.proargnames is not null)
  and (has_function_privilege('authenticated', p.oid, 'execute') or has_function_privilege('anon', p.oid, 'execute'))
group by p.oid
order by p.proname`

/**
 * The content of src/backend/rest/exposed-schema.json: what the embedded server's REST interface may be asked for.
 * @param {import('@electric-sql/pglite').PGlite} pg a migrated database
 */
export async function exposedSchema(pg) {
  /** @param {string} sql */
  const read = async (sql) => {
    /** @type {{ rows: { name: string, definition: object }[] }} */
    const { rows } = await pg.query(sql)
    return Object.fromEntries(rows.map(({ name, definition }) => [name, definition]))
  }
  return JSON.stringify({
    tables: await read(TABLES),
    references: await read(REFERENCES),
    functions: await read(FUNCTIONS),
  })
}

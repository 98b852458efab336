// @ts-check

/** The schemas that the migrations create. */
const SCHEMAS = `('public', 'private')`

/** Includes tables of other schemas for which the migrations create policies. */
const TABLES = `
select c.oid, n.nspname || '.' || c.relname as name, n.nspname in ${SCHEMAS} as is_own, c.relrowsecurity as has_rls,
  c.relreplident = 'f' as has_full_identity, array_to_string(c.reloptions, ', ') as options, obj_description(c.oid, 'pg_class') as comment
from pg_class c
join pg_namespace n on n.oid = c.relnamespace
where c.relkind = 'r'
  and (n.nspname in ${SCHEMAS} or exists (select from pg_policy p where p.polrelid = c.oid))
order by n.nspname = 'public' desc, n.nspname, c.relname`

const COLUMNS = `
select a.attrelid as oid, quote_ident(a.attname) as name, format_type(a.atttypid, a.atttypmod) as type, a.attnotnull as required,
  pg_get_expr(d.adbin, d.adrelid) as value, a.attgenerated = 's' as is_generated, a.attidentity <> '' as is_identity
from pg_attribute a
left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
where a.attnum > 0 and not a.attisdropped
order by a.attnum`

const CONSTRAINTS = `
select conrelid as oid, conname as name, pg_get_constraintdef(oid, true) as definition
from pg_constraint
where conrelid <> 0 and contype <> 'n' and contype <> 't'
order by array_position(array['p', 'u', 'f', 'c']::"char"[], contype), conname`

/** Without the indexes of constraints. */
const INDEXES = `
select i.indrelid as oid, pg_get_indexdef(i.indexrelid) as definition
from pg_index i
where not exists (select from pg_constraint k where k.conindid = i.indexrelid)
order by i.indexrelid::regclass::text`

const POLICIES = `
select polrelid as oid, quote_ident(polname) as name, polpermissive as permissive,
  case polcmd when 'r' then 'select' when 'a' then 'insert' when 'w' then 'update' when 'd' then 'delete' else 'all' end as command,
  (select string_agg(role::regrole::text, ', ') from unnest(polroles) role) as roles,
  pg_get_expr(polqual, polrelid, true) as using, pg_get_expr(polwithcheck, polrelid, true) as with_check
from pg_policy
order by polname`

const TRIGGERS = `
select tgrelid as oid, pg_get_triggerdef(oid, true) as definition
from pg_trigger
where not tgisinternal
order by tgname`

/** Without `service_role`, which has every privilege. */
const ROLES = `('anon', 'authenticated')`

/** Privileges of the API roles on tables (`columns` is null) and on columns. */
const GRANTS = `
select oid, role, string_agg(distinct right_name || coalesce(' (' || columns || ')', ''), ', ' order by right_name || coalesce(' (' || columns || ')', '')) as rights
from (
  select c.oid, g.grantee::regrole::text as role, lower(g.privilege_type) as right_name, null as columns
  from pg_class c, aclexplode(c.relacl) g
  where c.relkind = 'r' and g.grantee <> 0
  union all
  select a.attrelid, g.grantee::regrole::text, lower(g.privilege_type), string_agg(quote_ident(a.attname), ', ' order by a.attnum)
  from pg_attribute a, aclexplode(a.attacl) g
  where g.grantee <> 0
  group by 1, 2, 3
) granted
where role in ${ROLES}
group by oid, role
order by role`

const VIEWS = `
select n.nspname || '.' || c.relname as name, pg_get_viewdef(c.oid, true) as definition
from pg_class c
join pg_namespace n on n.oid = c.relnamespace
where c.relkind = 'v' and n.nspname in ${SCHEMAS}
order by 1`

/** `callers` are the API roles with the execute privilege. */
const FUNCTIONS = `
select pg_get_functiondef(p.oid) as definition, obj_description(p.oid, 'pg_proc') as comment,
  (select string_agg(role, ', ' order by role)
   from (select grantee::regrole::text as role from aclexplode(p.proacl) where grantee <> 0) granted
   where role in ${ROLES}) as callers
from pg_proc p
join pg_namespace n on n.oid = p.pronamespace
where n.nspname in ${SCHEMAS} and p.prokind = 'f'
order by n.nspname = 'public' desc, p.proname, p.oid::regprocedure::text`

/** @param {string | null} text */
const quote = (text) => `'${(text ?? '').replaceAll("'", "''")}'`

/** @param {string} text */
const noTrailingSpace = (text) => text.replace(/[ \t]+$/gm, '').trim()

/** @param {string} text an expression as PostgreSQL prints it */
const indented = (text) => noTrailingSpace(text).replace(/\n\s*/g, '\n    ')

/** @typedef {Record<string, any>} Row of one of the queries above */

/** The rows of one table. @param {Row[]} all @param {number} oid */
const of = (all, oid) => all.filter((row) => row.oid === oid)

/** @param {Row} column */
function columnLine({ name, type, required, value, is_generated, is_identity }) {
  const by = is_generated
    ? ` generated always as (${value}) stored`
    : value === null
      ? ''
      : ` default ${value}`
  return `  ${name} ${type}${is_identity ? ' generated always as identity' : ''}${by}${required ? ' not null' : ''}`
}

/** @param {Row} policy @param {string} table */
function policyText({ name, command, permissive, roles, using, with_check }, table) {
  return [
    `create policy ${name} on ${table}${permissive ? '' : ' as restrictive'} for ${command} to ${roles}`,
    using === null ? '' : `  using (${indented(using)})`,
    with_check === null ? '' : `  with check (${indented(with_check)})`,
  ]
    .filter(Boolean)
    .join('\n')
    .concat(';')
}

/**
 * The current schema as SQL, table by table, for reading. It cannot be run.
 * @param {import('@electric-sql/pglite').PGlite} pg a migrated database, without what the embedded server adds
 */
export async function schemaSql(pg) {
  /** @param {string} query @returns {Promise<Row[]>} */
  const read = async (query) => (await pg.query(query)).rows
  const columns = await read(COLUMNS)
  const constraints = await read(CONSTRAINTS)
  const indexes = await read(INDEXES)
  const policies = await read(POLICIES)
  const triggers = await read(TRIGGERS)
  const grants = await read(GRANTS)

  const tables = (await read(TABLES)).map(
    ({ oid, name, is_own, has_rls, has_full_identity, options, comment }) => {
      const parts = of(policies, oid).map((policy) => policyText(policy, name))
      if (!is_own) return [`-- ${name} belongs to Supabase.`, ...parts].join('\n')
      const lines = [
        ...of(columns, oid).map(columnLine),
        ...of(constraints, oid).map(
          (constraint) => `  constraint ${constraint.name} ${constraint.definition}`,
        ),
      ]
      return [
        `create table ${name} (\n${lines.join(',\n')}\n)${options === null ? '' : ` with (${options})`};`,
        ...(comment === null ? [] : [`comment on table ${name} is ${quote(comment)};`]),
        ...of(indexes, oid).map(({ definition }) => `${definition};`),
        ...(has_full_identity ? [`alter table ${name} replica identity full;`] : []),
        ...(has_rls ? [`alter table ${name} enable row level security;`] : []),
        ...of(grants, oid).map(({ role, rights }) => `grant ${rights} on ${name} to ${role};`),
        ...parts,
        ...of(triggers, oid).map(({ definition }) => `${definition};`),
      ].join('\n')
    },
  )
  const views = (await read(VIEWS)).map(
    ({ name, definition }) => `create view ${name} as\n${noTrailingSpace(definition)}`,
  )
  const functions = (await read(FUNCTIONS)).map(({ definition, comment, callers }) =>
    [
      ...(comment === null ? [] : [`-- ${comment}`]),
      ...(callers === null ? [] : [`-- Callable by ${callers}.`]),
      `${noTrailingSpace(definition)};`,
    ].join('\n'),
  )
  return `-- Generated from supabase/migrations by \`npm run types\`. Do not edit, and do not run: this is the schema to read.

-- Tables

${tables.join('\n\n')}

-- Views

${views.join('\n\n')}

-- Functions

${functions.join('\n\n')}
`
}

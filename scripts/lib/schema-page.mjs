// @ts-check

const TABLES = `
select c.relname as name, obj_description(c.oid, 'pg_class') as comment
from pg_class c
where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
order by c.relname`

/** Foreign keys within the schema; `one`: the column is unique, so each parent has at most one row. */
const REFERENCES = `
select c.relname as child, p.relname as parent, a.attname as column, a.attnotnull as required,
  exists (
    select 1 from pg_constraint u
    where u.conrelid = k.conrelid and u.contype in ('p', 'u') and u.conkey = k.conkey
  ) as one
from pg_constraint k
join pg_class c on c.oid = k.conrelid
join pg_class p on p.oid = k.confrelid
join pg_attribute a on a.attrelid = c.oid and a.attnum = k.conkey[1]
where k.contype = 'f' and c.relnamespace = 'public'::regnamespace and p.relnamespace = 'public'::regnamespace
order by p.relname, c.relname, a.attname`

const FUNCTIONS = `
select p.proname as name, pg_get_function_identity_arguments(p.oid) as arguments,
  pg_get_function_result(p.oid) as result, obj_description(p.oid, 'pg_proc') as comment
from pg_proc p
where p.pronamespace = 'public'::regnamespace
order by p.proname`

/** @typedef {{ name: string, comment: string }} Table */
/** @typedef {{ child: string, parent: string, column: string, required: boolean, one: boolean }} Reference */
/** @typedef {{ name: string, arguments: string, result: string, comment: string }} Callable */

/** @param {Reference} reference */
function relation({ child, parent, column, required, one }) {
  return `  ${parent} ${required ? '||' : '|o'}--${one ? 'o|' : 'o{'} ${child} : ${column}`
}

/**
 * The content of docs/schema.md: the diagram of tables, and what tables and functions are for.
 * @param {import('@electric-sql/pglite').PGlite} pg a migrated database
 */
export async function schemaPage(pg) {
  /** @type {{ rows: Table[] }} */
  const { rows: tables } = await pg.query(TABLES)
  /** @type {{ rows: Reference[] }} */
  const { rows: references } = await pg.query(REFERENCES)
  /** @type {{ rows: Callable[] }} */
  const { rows: functions } = await pg.query(FUNCTIONS)
  return `<!-- Generated from supabase/migrations by \`npm run types\`. Do not edit. -->

# The database

\`\`\`mermaid
erDiagram
${references.map(relation).join('\n')}
\`\`\`

\`profiles.id\` is the id of the member's \`auth.users\` row; every reference deletes along.

## Tables

${tables.map(({ name, comment }) => `- **${name}**: ${comment}`).join('\n')}

## Functions that clients call

${functions
  .map(({ name, arguments: takes, result, comment }) => `- \`${name}(${takes})\` → \`${result}\`: ${comment}`)
  .join('\n')}
`
}

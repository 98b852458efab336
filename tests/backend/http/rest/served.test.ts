import { readdir, readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SERVED_FUNCTIONS, SERVED_TABLES } from '#/backend/http/served'
import { openMigrated } from '#tests/backend/support/prepared'

const RENDERER = resolve(import.meta.dirname, '../../../../src/renderer')

/** Only served for the API calls of the specification (section 7). */
const SPECIFICATION_ONLY = ['messages_sender_id_fkey', 'notifications_post_id_fkey']

let database: Awaited<ReturnType<typeof openMigrated>>

beforeAll(async () => {
  database = await openMigrated()
})
afterAll(() => database.close())

async function rowsOf<Row>(sql: string): Promise<Row[]> {
  return (await database.driver.query<Row>(sql)).rows
}

const sorted = (names: string) => names.split(' ').filter(Boolean).sort()

describe('the list of served tables and functions', () => {
  test('contains every table with all its columns', async () => {
    const found = await rowsOf<{ table: string; columns: string }>(`
      select table_name as table, string_agg(column_name, ' ') as columns
      from information_schema.columns where table_schema = 'public' group by table_name`)
    const served = Object.entries(SERVED_TABLES).map(([table, { columns }]) => [table, sorted(columns)])
    expect(Object.fromEntries(served)).toEqual(
      Object.fromEntries(found.map(({ table, columns }) => [table, sorted(columns)])),
    )
  })

  test('contains every function that members may call, with its arguments', async () => {
    const found = await rowsOf<{ name: string; args: string }>(`
      select proname as name,
        coalesce(array_to_string((proargnames)[1:pronargs], ' '), '') as args
      from pg_catalog.pg_proc
      where pronamespace = 'public'::regnamespace and has_function_privilege('authenticated', oid, 'execute')`)
    const served = Object.entries(SERVED_FUNCTIONS).map(([name, { args }]) => [name, args])
    expect(Object.fromEntries(served)).toEqual(
      Object.fromEntries(found.map(({ name, args }) => [name, args])),
    )
  })

  test('contains only foreign keys and primary keys that exist', async () => {
    const found = await rowsOf<{ key: string; from: string; to: string }>(`
      select conname as key, conrelid::regclass::text as from, confrelid::regclass::text as to
      from pg_catalog.pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace`)
    const known = new Map(found.map(({ key, from, to }) => [key, { from, to }]))
    for (const [table, { one = {}, many = {} }] of Object.entries(SERVED_TABLES)) {
      for (const [key, to] of Object.entries(one))
        expect([key, known.get(key)]).toEqual([key, { from: table, to }])
      for (const [key, from] of Object.entries(many))
        expect([key, known.get(key)]).toEqual([key, { from, to: table }])
    }
    const keys = await rowsOf<{ table: string; columns: string }>(`
      select c.conrelid::regclass::text as table, string_agg(a.attname, ',' order by a.attname) as columns
      from pg_catalog.pg_constraint c
      join pg_catalog.pg_attribute a on a.attrelid = c.conrelid and a.attnum = any (c.conkey)
      where c.contype = 'p' and c.connamespace = 'public'::regnamespace group by c.conrelid`)
    for (const [table, { onConflict }] of Object.entries(SERVED_TABLES)) {
      const key = keys.find((one) => one.table === table)?.columns
      if (onConflict !== undefined) expect([table, onConflict.split(',').sort().join()]).toEqual([table, key])
    }
  })

  test('contains nothing that the app does not use', async () => {
    const files = await readdir(RENDERER, { recursive: true, withFileTypes: true })
    const sources = files.filter((file) => file.isFile() && /\.tsx?$/.test(file.name))
    const code = (
      await Promise.all(sources.map((file) => readFile(join(file.parentPath, file.name), 'utf8')))
    ).join('\n')
    const check = await readFile(join(RENDERER, '../shared/server-check.ts'), 'utf8')
    const isUsed = (name: string) => code.includes(`'${name}'`) || check.includes(`/rpc/${name}'`)
    const names = [...Object.keys(SERVED_TABLES), ...Object.keys(SERVED_FUNCTIONS)]
    expect(names.filter((name) => !isUsed(name))).toEqual([])

    const unused = Object.values(SERVED_TABLES).flatMap(({ one = {}, many = {} }) => [
      ...Object.keys(one).filter((key) => !code.includes(`!${key}(`)),
      ...Object.entries(many).flatMap(([key, table]) =>
        code.includes(`!${key}(`) || code.includes(`:${table}(`) ? [] : [key],
      ),
    ])
    expect(unused.toSorted()).toEqual(SPECIFICATION_ONLY.toSorted())
  })
})

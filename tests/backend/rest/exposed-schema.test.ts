import { readdir, readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { FUNCTIONS, TABLES } from '#/backend/rest/rest-schema'
import { READING_FUNCTIONS } from '#/renderer/lib/server/reading-functions'

const RENDERER = resolve(import.meta.dirname, '../../../src/renderer')

/** tests/supabase/schema/generated.test.ts compares the list with the migrations. */
test('the app uses every table and function that is exposed', async () => {
  const files = await readdir(RENDERER, { recursive: true, withFileTypes: true })
  const sources = files.filter((file) => file.isFile() && /\.tsx?$/.test(file.name))
  const code = (
    await Promise.all(sources.map((file) => readFile(join(file.parentPath, file.name), 'utf8')))
  ).join('\n')
  const check = await readFile(join(RENDERER, '../shared/server-check.ts'), 'utf8')
  // For groups (docs/decisions/0106): the app shows pairs, whose members are columns.
  const isUsed = (name: string) =>
    name === 'conversation_members' || code.includes(`'${name}'`) || check.includes(`/rpc/${name}'`)
  expect([...TABLES.keys(), ...FUNCTIONS.keys()].filter((name) => !isUsed(name))).toEqual([])
})

test('a column has a text in all tables or in none, because addresses are corrected without knowing the table', () => {
  const rows = [...TABLES.values(), ...FUNCTIONS.values()]
  const others = new Set(
    rows.flatMap(({ columns, texts }) => columns.filter((name) => !texts.includes(name))),
  )
  expect(rows.flatMap(({ texts }) => texts).filter((name) => others.has(name))).toEqual([])
})

test('the app calls every function by GET that only reads, but not with a text of a member or the id of a session', () => {
  // The app reads the groups alone by POST, as the server refuses a boolean in an address.
  const inAddress = ['before_at', 'before_id', 'in_folder', 'only_groups']
  const expected = [...FUNCTIONS].filter(
    ([name, { args, reads }]) =>
      reads &&
      args.every((arg) => inAddress.includes(arg)) &&
      // Members ask for the first before they delete, and src/shared/server-check.ts sends the second.
      !['my_unused_objects', 'setup_status'].includes(name),
  )
  expect([...READING_FUNCTIONS].sort()).toEqual(expected.map(([name]) => name).sort())
})

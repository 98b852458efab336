import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import exposed from '#/backend/rest/exposed-schema.json'
import { JSON_LISTS } from '#/renderer/lib/server/checks/row-forms'
import { MEDIA_COLUMNS } from '#/renderer/lib/server/checks/stored-pictures'
import { LENGTHS, textMost } from '#/renderer/lib/server/checks/text-lengths'

const SCHEMA = readFileSync(join(import.meta.dirname, '../../../../../supabase/schema.sql'), 'utf8')

/** The constraints on the length of texts, as `table.column` and characters. */
function constraints(): [string, number][] {
  return SCHEMA.split(/^create table /m).flatMap((table) =>
    [...table.matchAll(/^ {2}constraint .*char_length\((\w+)\) <= (\d+)/gm)].map(
      ([, column, most]): [string, number] => [`${/[\w.]+/.exec(table)?.[0]}.${column}`, Number(most)],
    ),
  )
}

/** Texts in answers, by table or function; those of functions that return rows of a table are the table's. */
const TEXTS = [...Object.entries(exposed.tables), ...Object.entries(exposed.functions)].flatMap(
  ([source, { texts }]) => texts.map((column): [string, string] => [source, column]),
)

test('the longest text that the database accepts is not cut in an answer', () => {
  const found = constraints().filter(([column]) => !MEDIA_COLUMNS.has(column.split('.')[2] ?? ''))
  expect(found.length).toBeGreaterThan(10)
  for (const [name, most] of found) {
    const [schema, table = '', column = ''] = name.split('.')
    const source = schema === 'private' && table === 'member_states' ? 'my_state' : table
    expect(textMost(source, column), name).toBe(2 * most)
  }
})

test('a function that returns rows of a table has its lengths', () => {
  for (const [name, { table }] of Object.entries(exposed.functions)) {
    if (table !== null) expect(textMost(name, 'content'), name).toBe(textMost(table, 'content'))
  }
})

/** Ids, times, paths of objects, and names of kinds and states. */
const OTHERS = [
  'about',
  'audience',
  'avatar_path',
  'color_space',
  'emoji',
  'feed_path',
  'folder',
  'full_path',
  'grid_path',
  'group_key',
  'kind',
  'media_path',
  'media_type',
  'message',
  'middle_path',
  'my_unused_objects.name',
  'new_messages_from',
  'picture_path',
  'poster_path',
  'reports.reason',
  'role',
  'session_end.reason',
  'shared_kind',
  'state',
  'thumbhash',
  'type',
]

test('every text that a member or operator writes has a length', () => {
  const without = TEXTS.filter(
    ([source, column]) =>
      !LENGTHS.has(column) &&
      !LENGTHS.has(`${source}.${column}`) &&
      !MEDIA_COLUMNS.has(column) &&
      !JSON_LISTS.has(column),
  )
  const names = without.map(([source, column]) =>
    ['name', 'reason'].includes(column) ? `${source}.${column}` : column,
  )
  expect([...new Set(names)].sort()).toEqual(OTHERS)
})

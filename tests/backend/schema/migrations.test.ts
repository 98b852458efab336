import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import landed from './landed.json'
import { compareWithLanded, hashMigration } from './support/landed'

const FOLDER = join(import.meta.dirname, '../../../supabase/migrations')

async function readAll(): Promise<Map<string, string>> {
  const files = (await readdir(FOLDER)).sort()
  const texts = await Promise.all(files.map((file) => readFile(join(FOLDER, file), 'utf8')))
  return new Map(files.map((file, index) => [file, texts[index] ?? '']))
}

describe('landed migrations', () => {
  test('are as they landed', async () => {
    expect(compareWithLanded(await readAll(), landed)).toEqual([])
  })

  test('are named for the Supabase command line, each with a number of its own', async () => {
    const files = [...(await readAll()).keys()]
    for (const file of files) expect(file).toMatch(/^\d{14}_[a-z_]+\.sql$/)
    expect(new Set(files.map((file) => file.slice(0, 14))).size).toBe(files.length)
  })

  test('a changed, a removed, a new and a late one are told of in words', () => {
    const known = { '1_a.sql': hashMigration('select 1;'), '3_c.sql': hashMigration('select 3;') }
    const compare = (files: Record<string, string>) =>
      compareWithLanded(new Map(Object.entries(files)), known)
    const same = { '1_a.sql': 'select 1;', '3_c.sql': 'select 3;' }
    expect(compare(same)).toEqual([])
    expect(compare({ ...same, '1_a.sql': 'select 2;' })).toEqual([
      '1_a.sql has landed and must not change: undo the change and write another migration.',
    ])
    expect(compare({ '1_a.sql': 'select 1;' })).toEqual(['3_c.sql has landed and must stay.'])
    expect(compare({ ...same, '2_b.sql': '' })).toEqual([
      '2_b.sql comes before 3_c.sql, which has landed: give it a later number.',
    ])
    expect(compare({ ...same, '4_d.sql': '' })).toEqual([
      `4_d.sql is new: add "4_d.sql": "${hashMigration('')}" to tests/backend/schema/landed.json.`,
    ])
  })

  test('line ends do not count', () => {
    expect(hashMigration('a\r\nb\r\n')).toBe(hashMigration('a\nb\n'))
  })
})

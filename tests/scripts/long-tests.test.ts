import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const TESTS = join(import.meta.dirname, '..')
/** Suites in the browser, and those of components in a document of Node. */
const FILES = ['e2e', 'renderer'].flatMap((folder) =>
  readdirSync(join(TESTS, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(folder === 'e2e' ? '.spec.ts' : '.test.tsx'))
    .map((name) => join(folder, name)),
)
const TITLE =
  /\btest(?:\.each\(\w+\))?\(\s*(?<quote>['`"])(?<title>.*?)\k<quote>,\s*(?<long>\{\s*tag: (?:'@long'|\[[^\]]*'@long'[^\]]*\]),?\s*\})?/g

test('every product row of a long end-to-end test also has a test of the screen that npm test runs', () => {
  const rows = { long: new Set<string>(), short: new Set<string>() }
  for (const file of FILES) {
    for (const { groups } of readFileSync(join(TESTS, file), 'utf8').matchAll(TITLE)) {
      const kind = groups?.long === undefined ? 'short' : 'long'
      for (const [row] of groups?.title?.matchAll(/\b[A-Z]+-\d\d\b/g) ?? []) rows[kind].add(row)
    }
  }
  expect(rows.long.size).toBeGreaterThan(10)
  expect([...rows.long].filter((row) => !rows.short.has(row))).toEqual([])
})

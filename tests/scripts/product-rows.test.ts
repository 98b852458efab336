import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'

const ROOT = resolve(import.meta.dirname, '../..')
const ROW_ID = /\b(?:AUTH|NAV|FEED|CREATE|STORY|NOTE|PROF|EDIT|SET|SAFE|MSG|DESK|MEDIA|ACC)-\d\d\b/g

function sourceFiles(folder: string, without = /^$/): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !without.test(name))
    .map((name) => readFileSync(join(ROOT, folder, name), 'utf8'))
}

const CALL =
  /\b(?:test|it|describe)(?:\.[a-z.]+)?(?:\([^)'"`]*\))?\s*\(\s*(['"`])([\s\S]*?)\1(,\s*\{\s*tags?: [^}]*\})?/g

/** The titles of all tests and suites in a file. */
function titles(source: string): string[] {
  return [...source.matchAll(CALL)].map(([, , title = '']) => title)
}

/** The titles of the tests and suites that `npm test` runs: the others have the tag `long`. */
function shortTitles(source: string): string[] {
  return [...source.matchAll(CALL)]
    .filter(([, , , options = '']) => !/\blong\b/.test(options))
    .map(([, , title = '']) => title)
}

const idsIn = (texts: string[]) => new Set(texts.flatMap((text) => text.match(ROW_ID) ?? []))

describe('the rows of docs/product.md', () => {
  const product = readFileSync(join(ROOT, 'docs/product.md'), 'utf8')
  const rows = new Set(
    [...product.matchAll(/^- <a id="[a-z]+-\d\d"><\/a>\*\*([A-Z]+-\d\d)\*\* /gm)].map(([, id = '']) => id),
  )
  const tests = sourceFiles('tests')

  test('are each named in the title of a test that npm test runs', () => {
    const named = idsIn(sourceFiles('tests', /^long[\\/]/).flatMap(shortTitles))
    expect([...rows].filter((id) => !named.has(id))).toEqual([])
    expect(rows.size).toBeGreaterThan(100)
  })

  test('include every row that code or a test cites', () => {
    const cited = idsIn([...tests.flatMap(titles), ...sourceFiles('src')])
    expect([...cited].filter((id) => !rows.has(id))).toEqual([])
  })
})

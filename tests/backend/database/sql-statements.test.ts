import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readMigrations } from '#/backend/database/migrations'
import { splitStatements } from '#/backend/database/sql-statements'
import { migrationsFolder } from '#/backend/start/paths'

const texts = (sql: string) => splitStatements(sql).map((statement) => statement.text)

test('splits at semicolons, and accepts a last statement without one', () => {
  expect(texts('select 1; select 2 ;\nselect 3')).toEqual(['select 1;', 'select 2 ;', 'select 3'])
  expect(texts(' \n ; ')).toEqual([])
})

test('does not split at semicolons in quotes and comments', () => {
  const whole = [
    `select ';', 'it''s; fine';`,
    `select e'a\\';b';`,
    `select "a;""b" from t;`,
    `do $$ begin; end; $$;`,
    `create function f() returns text language sql as $body$ select $$a;b$$; $body$;`,
    `create rule r as on insert to t do (select 1; select 2);`,
    `create function g() returns int language sql begin atomic select case when true then 1 end; select 2; end;`,
    `select 1 /* a; /* nested; */ still; */ + 1;`,
    `select 1 -- a; b\n + 1;`,
    `select name$e from t;`,
    `select $1;`,
  ]
  for (const sql of whole) expect(texts(sql)).toEqual([sql])
  expect(texts(whole.join('\n'))).toEqual(whole)
})

test('excludes leading comments from a statement, and counts lines from one', () => {
  const sql = '-- first; really\n\n/* a\n b */ select 1;\nselect\n 2;'
  expect(splitStatements(sql)).toEqual([
    { text: 'select 1;', line: 4 },
    { text: 'select\n 2;', line: 5 },
  ])
})

test('an unclosed quote or comment extends to the end of the file', () => {
  expect(texts('select 1; do $$ begin;')).toEqual(['select 1;', 'do $$ begin;'])
  expect(texts('select 1; /* open; ')).toEqual(['select 1;'])
})

test('keeps every character except comments and whitespace', () => {
  const piece = fc.constantFrom(
    ';',
    "'a;b'",
    '"c;d"',
    '$$e;f$$',
    '$t$g$$;$t$',
    '(',
    ')',
    ' ',
    '\n',
    'begin',
    'end',
    'atomic',
    'x$y',
    "e'\\''",
    '1',
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
      const sql = pieces.join('')
      const bare = (text: string) => text.replaceAll(/\s/g, '')
      const kept = texts(sql).join('')
      // Compares without semicolons, because empty statements are dropped.
      expect(bare(kept).replaceAll(';', '')).toBe(bare(sql).replaceAll(';', ''))
    }),
    { numRuns: 500 },
  )
})

test('splits every migration of the project into statements that start with a command', async () => {
  for (const { version, name, sql } of await readMigrations(migrationsFolder())) {
    const file = await readFile(join(migrationsFolder(), `${version}_${name}.sql`), 'utf8')
    for (const { text, line } of splitStatements(sql)) {
      expect(text).toMatch(
        /^(alter|comment|create|delete|do|drop|grant|insert|revoke|select|set|update|with)\b.*;$/is,
      )
      expect(file.split(/\r?\n/)[line - 1]).toContain(text.split('\n')[0])
    }
  }
})

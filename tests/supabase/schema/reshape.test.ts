import { isDeepStrictEqual } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { type EarlierDatabase, openEarlier } from './support/earlier-database'
import { openEarlierPostgres } from './support/earlier-postgres'
import { fillCommunity } from './support/full-community'
import { ask, questionsFor, restoreFormer } from './support/surfaces'

/** The schema of 1ff11d59, whose folders are the oldest that open, and the last one before the shapes change. */
const BEFORE = { first: '20261124110001', last: '20261127232061' } as const

/** What builds after 1ff11d59 have changed on purpose, and is therefore not compared. */
const SINCE_FIRST = new Set([
  // Two more, and larger files.
  'rows of quotas',
  'rows of storage.buckets',
  // A member who hides the own activity sees none.
  'shown rows of activity',
  // Counts notifications instead of groups (docs/decisions/0067).
  'unread_notifications()',
  // Former usernames are held.
  'username_available()',
])

/** What followers of an account find of it now while its topics and words have not moved after a change of its privacy. */
const FOUND_SOONER: Record<string, [member: string, rows: unknown[]][]> = {
  'search_topics()': [
    ['cleo', [{ word: 'secret', label: 'secret', ordinality: 1 }]],
    [
      'hana',
      [
        { word: 'berlin', label: 'Berlin', ordinality: 1 },
        { word: 'secret', label: 'secret', ordinality: 1 },
      ],
    ],
  ],
}

/** Tables without rows, and nullable columns without a value. */
async function findUnfilled({ sql }: EarlierDatabase): Promise<unknown[]> {
  const columns = await sql(`
    select c.oid::regclass::text as name, quote_ident(a.attname) as column, a.attnotnull as is_required
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where c.relnamespace in ('public'::regnamespace, 'private'::regnamespace) and c.relkind = 'r'`)
  const empty = columns.map(
    ({ name, column, is_required }) =>
      `select '${name}.${column}' as empty
       where not exists (select from ${name} where ${is_required ? 'true' : `${column} is not null`})`,
  )
  return (await sql(empty.join(' union all '))).map((row) => row.empty)
}

async function compare(earlier: EarlierDatabase, version: string): Promise<void> {
  onTestFinished(() => earlier.close())
  await fillCommunity(earlier, version)
  expect(await findUnfilled(earlier)).toEqual([])
  const questions = await questionsFor(earlier)
  const before = await ask(earlier, questions)
  const unanswered = [...before].filter(([, answers]) =>
    Object.values(answers).every((rows) => rows.length === 0),
  )
  expect(
    unanswered.map(([question]) => question).filter((question) => !question.startsWith('rows of auth.')),
  ).toEqual([])

  await earlier.upgrade()
  await restoreFormer(earlier)
  // The bucket takes larger files; all else of it is compared.
  await earlier.sql('update storage.buckets set file_size_limit = 45000000 where file_size_limit = 200000000')
  const after = await ask(earlier, questions)
  for (const [question, found] of Object.entries(version === BEFORE.last ? FOUND_SOONER : {})) {
    for (const [member, rows] of found) {
      const answers = after.get(question) ?? {}
      expect(answers[member]).toEqual(expect.arrayContaining(rows))
      answers[member] = (answers[member] ?? []).filter(
        (row) => !rows.some((one) => isDeepStrictEqual(one, row)),
      )
    }
  }
  for (const [question, answers] of before) {
    if (version === BEFORE.first && SINCE_FIRST.has(question)) continue
    expect.soft(after.get(question), question).toEqual(answers)
  }
}

for (const [name, version] of Object.entries(BEFORE)) {
  // The migrations between the two have landed. Later ones meet the rows of both, and from the last one all answers are compared.
  const tags = name === 'last' ? [] : ['long']
  test(`nobody loses anything in an upgrade of the ${name} schema`, { tags }, async () => {
    await compare(await openEarlier(version), version)
  })
  test(`nobody loses anything in an upgrade of the ${name} schema on PostgreSQL`, {
    tags: 'long',
  }, async () => {
    await compare(await openEarlierPostgres(version), version)
  })
}

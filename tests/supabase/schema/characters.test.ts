import { afterAll, expect, test } from 'vitest'
import { composeText } from '#/shared/composed-text'
import { HASHTAG, WORD_CHARACTER } from '#/shared/hashtags'
import { foldCase, searchKey } from '#/shared/search-key'
import { trimText } from '#/shared/visible-text'
import { SAME_TO_SEARCH } from '#tests/search-cases'
import { openCommunity } from './support/community'
import { openSessions, type Sessions } from './support/sessions'

const { community } = await openCommunity()
let sessions: Promise<Sessions> | undefined
afterAll(async () => (await sessions)?.close())

const SERVERS = {
  PGlite: async (sql: string, parameters: string[] = []) => community.sql(sql, parameters),
  PostgreSQL: async (sql: string, parameters: string[] = []) => {
    sessions ??= openSessions()
    return (await sessions).sql.unsafe(sql, parameters)
  },
}

const BOTH = ['PGlite', 'PostgreSQL'] as const
/** Starting a PostgreSQL, and the same SQL there, are for test:long. */
const tagsOf = (server: keyof typeof SERVERS) => (server === 'PostgreSQL' ? ['long'] : [])

/** All code points but U+0000 and surrogates, which PostgreSQL's texts do not have. */
const CODES = Array.from({ length: 0x110000 }, (_, code) => code).filter(
  (code) => code > 0 && (code < 0xd800 || code > 0xdfff),
)

/** Up to U+33FF, which have most kinds of characters, all are compared; of the others each, or each seventeenth. */
const FIRST = 0x3400
const [ALL, SOME] = [1, 17]
const AMOUNTS = [
  ['PGlite', SOME, 'short'],
  ['PGlite', ALL, 'long'],
  ['PostgreSQL', ALL, 'long'],
] as const

/** A test for each server: of some characters on PGlite, of all of them in test:long. */
function testAmounts(title: string, run: (server: keyof typeof SERVERS, every: number) => Promise<void>) {
  for (const [server, every, length] of AMOUNTS)
    test(
      `ACC-04 the app and ${server} agree on which ${every === ALL ? '' : 'sampled '}${title}`,
      {
        tags: length === 'long' ? ['long'] : [],
      },
      () => run(server, every),
    )
}

/** The code points for which a condition on the character `found` differs from the app's, in hexadecimal. */
async function differences(
  server: keyof typeof SERVERS,
  every: number,
  condition: string,
  inApp: (character: string) => boolean,
): Promise<string[]> {
  const [row] = await SERVERS[server](
    `select string_agg(case when ${condition} then 'y' else 'n' end, '' order by code) as answers from (
       select code, chr(code) as found from generate_series(1, 1114111) as code
       where code not between 55296 and 57343 and (code < ${FIRST} or code % ${every} = 0)
     ) as codes`,
  )
  const answers = String(row?.answers)
  const codes = CODES.filter((code) => code < FIRST || code % every === 0)
  expect(answers).toHaveLength(codes.length)
  return codes
    .filter((code, at) => (answers[at] === 'y') !== inApp(String.fromCodePoint(code)))
    .map((code) => code.toString(16))
}

testAmounts('characters are visible', async (server, every) => {
  const isVisible = (character: string) => trimText(character) !== ''
  expect(await differences(server, every, 'private.is_visible(found)', isVisible)).toEqual([])
})

const UNASSIGNED = /\p{Cn}/u
const WORD = new RegExp(WORD_CHARACTER, 'u')
const TAG = new RegExp(`^${HASHTAG}$`, 'u')

testAmounts(
  'assigned characters are in a hashtag, join its letters, and begin one',
  async (server, every) => {
    // The database may take an unassigned code point for a letter.
    const assigned = async (condition: string, inApp: (character: string) => boolean) =>
      (await differences(server, every, condition, inApp)).filter(
        (code) => !UNASSIGNED.test(String.fromCodePoint(Number.parseInt(code, 16))),
      )
    expect(await assigned(`found ~ private.word_character()`, (character) => WORD.test(character))).toEqual(
      [],
    )
    // Joiners are in the first plane, besides variation selectors.
    const isSample = (character: string) => /[^\u{10000}-\u{dffff}\u{e1000}-\u{10ffff}]/u.test(character)
    const sampled = (pattern: string) =>
      `case when code < 65536 or code between 917504 and 921599 then ${pattern} else false end`
    expect(
      await assigned(
        sampled(`'#a' || found || 'b' ~ ('^' || private.hashtag_pattern() || '$')`),
        (character) => isSample(character) && TAG.test(`#a${character}b`),
      ),
    ).toEqual([])
    expect(
      await assigned(
        sampled(`found || 'ab' ~ ('^' || private.hashtag_pattern() || '$')`),
        (character) => isSample(character) && TAG.test(`${character}ab`),
      ),
    ).toEqual([])
  },
)

/** The texts for which a function of the database differs from one of the app. */
async function differing(
  server: keyof typeof SERVERS,
  sqlName: string,
  texts: readonly string[],
  inApp: (text: string) => string,
): Promise<string[]> {
  // As JSON, because the two servers take arrays in different ways. A character that a later Unicode decomposes is new to the server.
  const rows = await SERVERS[server](
    `select text from jsonb_to_recordset($1::text::jsonb) as each (text text, expected text, decomposes boolean)
     where private.${sqlName}(text) is distinct from expected and not (decomposes and text is nfkd normalized)`,
    [
      JSON.stringify(
        texts.map((text) => ({ text, expected: inApp(text), decomposes: text.normalize('NFKD') !== text })),
      ),
    ],
  )
  return rows.map(({ text }) => [...String(text)].map((one) => one.codePointAt(0)?.toString(16)).join(' '))
}

// Of ideographs, which have no case, marks and decomposition, only some; of Hangul syllables, which decompose by rule, too.
const MANY = /\p{Unified_Ideograph}|[\uac00-\ud7a3]/u
const ASSIGNED = CODES.filter((code) => {
  const character = String.fromCodePoint(code)
  return !/[\p{Cn}\p{Co}]/u.test(character) && (code % 61 === 0 || !MANY.test(character))
}).map((code) => String.fromCodePoint(code))
const SAMPLES = SAME_TO_SEARCH.flatMap(([, one, other]) => [one, other])
/** Voicing marks after other marks. */
const VOICED = ['ｶ\u0301ﾞ', 'ｶﾞﾞ ｶﾟﾞ', 'カ\u0e48ﾞ\u0e48ﾟ']

for (const server of BOTH)
  test(`ACC-04 the app and ${server} agree on the key, lower case and stored form of each assigned character`, {
    timeout: 60_000,
    tags: tagsOf(server),
  }, async () => {
    const texts = [...ASSIGNED, ...SAMPLES, '', 'ㅋㅠ', 'ΟΔΟΣ ΟΔΟΣ', '\ufa19e\u0301']
    expect(texts.length).toBeGreaterThan(40_000)
    expect(await differing(server, 'fold_case', texts, foldCase)).toEqual([])
    expect(await differing(server, 'composed', texts, composeText)).toEqual([])
    expect(await differing(server, 'search_key', [...texts, ...VOICED], searchKey)).toEqual([])
  })

for (const server of BOTH)
  test(`ACC-04 ${server} makes the key of marks in the most expensive order`, {
    timeout: 60_000,
    tags: tagsOf(server),
  }, async () => {
    // Sorting them would take marks² / 4 steps: minutes. A key has the first 4,000 characters.
    const marks = 200_000
    const [acute, below, voiced] = ['\u0301', '\u0323', '\uff9e'] as const
    for (const text of [
      `a${acute.repeat(2000)}${voiced.repeat(marks)}`,
      `a${acute.repeat(2000)}${below.repeat(1000)}${acute.repeat(marks)}${below.repeat(marks)}`,
    ]) {
      const rows = await SERVERS[server]('select private.search_key($1) as key', [text])
      expect(rows).toEqual([{ key: searchKey(text.slice(0, 4000)) }])
    }
  })

for (const server of BOTH)
  test(`ACC-04 ${server} folds the letters of a long text in steps that grow with its length`, {
    timeout: 30_000,
    tags: tagsOf(server),
  }, async () => {
    // Comparing each character with each letter would take 7,000 million steps: minutes. lower() does not know the first letter.
    const rest = 'a'.repeat(5_000_000)
    const sql =
      "select translate(private.fold_case($1), 'a', '') as letter, octet_length(private.fold_case($1)) as octets"
    expect(await SERVERS[server](sql, [`\u{10d50}${rest}`])).toEqual([
      { letter: '\u{10d70}', octets: 5_000_004 },
    ])
  })

import { afterAll, beforeAll, expect, test } from 'vitest'
import { composeText } from '#/shared/composed-text'
import { HASHTAG, WORD_CHARACTER } from '#/shared/hashtags'
import { foldCase, searchKey } from '#/shared/search-key'
import { trimText } from '#/shared/visible-text'
import { SAME_TO_SEARCH } from '#tests/search-cases'
import { openCommunity } from './support/community'
import { openSessions, type Sessions } from './support/sessions'

const { community } = await openCommunity()
let sessions: Sessions
beforeAll(async () => {
  sessions = await openSessions()
})
afterAll(() => sessions.close())

const SERVERS = {
  PGlite: async (sql: string, parameters: string[] = []) => community.sql(sql, parameters),
  PostgreSQL: async (sql: string, parameters: string[] = []) => sessions.sql.unsafe(sql, parameters),
}

/** All code points but U+0000 and surrogates, which PostgreSQL's texts do not have. */
const CODES = Array.from({ length: 0x110000 }, (_, code) => code).filter(
  (code) => code > 0 && (code < 0xd800 || code > 0xdfff),
)

/** The code points for which a condition on the character `found` differs from the app's, in hexadecimal. */
async function differences(
  server: keyof typeof SERVERS,
  condition: string,
  inApp: (character: string) => boolean,
): Promise<string[]> {
  const [row] = await SERVERS[server](
    `select string_agg(case when ${condition} then 'y' else 'n' end, '' order by code) as answers from (
       select code, chr(code) as found from generate_series(1, 1114111) as code where code not between 55296 and 57343
     ) as codes`,
  )
  const answers = String(row?.answers)
  expect(answers).toHaveLength(CODES.length)
  return CODES.filter((code, at) => (answers[at] === 'y') !== inApp(String.fromCodePoint(code))).map((code) =>
    code.toString(16),
  )
}

test.each(['PGlite', 'PostgreSQL'] as const)(
  'ACC-04 the app and %s agree on which characters are visible',
  async (server) => {
    expect(
      await differences(server, 'private.is_visible(found)', (character) => trimText(character) !== ''),
    ).toEqual([])
  },
)

const UNASSIGNED = /\p{Cn}/u
const WORD = new RegExp(WORD_CHARACTER, 'u')
const TAG = new RegExp(`^${HASHTAG}$`, 'u')

test.each(['PGlite', 'PostgreSQL'] as const)(
  'ACC-04 the app and %s agree on which assigned characters are in a hashtag, join its letters, and begin one',
  async (server) => {
    // The database may take an unassigned code point for a letter.
    const assigned = async (condition: string, inApp: (character: string) => boolean) =>
      (await differences(server, condition, inApp)).filter(
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

test.each(['PGlite', 'PostgreSQL'] as const)(
  'ACC-04 the app and %s agree on the key, lower case and stored form of each assigned character',
  { timeout: 60_000 },
  async (server) => {
    const texts = [...ASSIGNED, ...SAMPLES, '', 'ㅋㅠ', 'ΟΔΟΣ ΟΔΟΣ', '\ufa19e\u0301']
    expect(texts.length).toBeGreaterThan(40_000)
    expect(await differing(server, 'fold_case', texts, foldCase)).toEqual([])
    expect(await differing(server, 'composed', texts, composeText)).toEqual([])
    expect(await differing(server, 'search_key', [...texts, ...VOICED], searchKey)).toEqual([])
  },
)

test.each(['PGlite', 'PostgreSQL'] as const)(
  'ACC-04 %s makes the key of marks in the most expensive order',
  { timeout: 60_000 },
  async (server) => {
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
  },
)

test.each(['PGlite', 'PostgreSQL'] as const)(
  'ACC-04 %s folds the letters of a long text in steps that grow with its length',
  { timeout: 30_000 },
  async (server) => {
    // Comparing each character with each letter would take 7,000 million steps: minutes. lower() does not know the first letter.
    const rest = 'a'.repeat(5_000_000)
    const sql =
      "select translate(private.fold_case($1), 'a', '') as letter, octet_length(private.fold_case($1)) as octets"
    expect(await SERVERS[server](sql, [`\u{10d50}${rest}`])).toEqual([
      { letter: '\u{10d70}', octets: 5_000_004 },
    ])
  },
)

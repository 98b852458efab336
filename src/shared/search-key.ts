/**
 * Marks that words are also written without: accents of Latin, Greek and Cyrillic, points of Hebrew, Arabic and Syriac, hamza and tatweel of
 * Arabic; and what Unicode ignores by default, such as joiners. No vowel signs, viramas, nuktas and tone marks of other scripts, and no voicing
 * marks of kana: without them it is another word.
 */
export const IGNORED = String.raw`(?![\u034f\u3099\u309a])(?:(?=\p{Mn})[\p{Script=Inherited}\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}]|[\u0640\p{Default_Ignorable_Code_Point}])`

const ALL_IGNORED = new RegExp(IGNORED, 'gu')

const OTHER_THAN_ASCII = /\P{ASCII}/u

// U+034F keeps Korean letters apart that are written one by one: 'ㅋㅠ' is not '큐'. And it keeps the voicing marks of half-width kana, which NFKD
// makes combining marks, after their letter: sorting them among thousands of other marks takes seconds.
const KEPT_APART = /[\u3131-\u318e\uff9e-\uffdc]/g

/** Letters that differ from others only by a stroke or a form in Unicode's order of letters (UCA, the root of CLDR), and the 'ı' of Turkish. */
const BASES: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ð: 'd',
  đ: 'd',
  ħ: 'h',
  ı: 'i',
  ł: 'l',
  ø: 'o',
  '\u034f': '',
}
const WITH_BASE = new RegExp(`[${Object.keys(BASES).join('')}]`, 'gu')

/**
 * The text in lower case, letter by letter: as long as before, and the same in all languages. The same as private.fold_case() in
 * supabase/schemas, so a hashtag or place has one name.
 */
export function foldCase(text: string): string {
  return text.replaceAll('İ', 'i').toLowerCase().replaceAll('ς', 'σ')
}

/** What two texts have in common that differ only in marks, case and compatible forms. The same as private.search_key() in supabase/schemas. */
export function searchKey(text: string): string {
  if (!OTHER_THAN_ASCII.test(text)) return text.toLowerCase()
  const bare = text
    .replace(KEPT_APART, '$&\u034f')
    .normalize('NFKD')
    .replace(ALL_IGNORED, '')
    .normalize('NFC')
  return foldCase(bare).replace(WITH_BASE, (letter) => BASES[letter] ?? '')
}

interface Match {
  start: number
  end: number
}

/** Units of a text in which a match is looked for at once, and of the next ones that belong to it. */
const PART = 256

/** The first part of a text that has this key, as UTF-16 offsets: whole characters as they are drawn. */
function matchIn(text: string, wanted: string): Match | null {
  let keys = ''
  /** Where the character of each unit of `keys` begins and ends in the text. */
  const places: Match[] = []
  for (const { segment, index } of new Intl.Segmenter().segment(text)) {
    const key = searchKey(segment)
    keys += key
    const place = { start: index, end: index + segment.length }
    for (let unit = 0; unit < key.length; unit += 1) places.push(place)
  }
  const at = keys.indexOf(wanted)
  const [first, last] = [places[at], places[at + wanted.length - 1]]
  return first === undefined || last === undefined ? null : { start: first.start, end: last.end }
}

/**
 * The first part of a text that the query finds, as UTF-16 offsets: whole characters as they are drawn. Null if there is none, or more than
 * 256 units of it are ignored. Only a part of the text that has the match is cut into characters: all of a message takes 60 ms.
 */
export function findMatch(text: string, query: string): Match | null {
  const wanted = searchKey(query)
  if (wanted === '') return null
  const room = PART + 2 * wanted.length
  for (let from = 0; from < text.length; from += PART) {
    const part = text.slice(from, from + PART + room)
    const isFirst = from === 0
    const isLast = from + part.length === text.length
    const found = searchKey(part).includes(wanted) ? matchIn(part, wanted) : null
    // A character that the edge of a part cuts is whole in the part before or after.
    if (found !== null && (isFirst || found.start > 0) && (isLast || found.end < part.length))
      return { start: from + found.start, end: from + found.end }
    if (isLast) break
  }
  return null
}

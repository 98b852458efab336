import keywords from 'emojilib'
import data from 'unicode-emoji-json/data-by-group.json'
import { searchKey } from '#/shared/search-key'

export interface Emoji {
  character: string
  /** Its English name. */
  name: string
  /** Further words to find it by, in lower case. */
  keywords: readonly string[]
  /** Whether it can have a skin tone. */
  hasTones: boolean
}

export interface EmojiGroup {
  id: string
  emojis: readonly Emoji[]
}

/** The newest version of Unicode's emojis that systems in use can draw. */
const NEWEST = 15

export const EMOJI_GROUPS: readonly EmojiGroup[] = data.map(({ slug, emojis }) => ({
  id: slug,
  emojis: emojis
    .filter(({ emoji_version }) => Number(emoji_version) <= NEWEST)
    .map(({ emoji, name, skin_tone_support_unicode_version: toned }) => ({
      character: emoji,
      name,
      hasTones: Number(toned ?? Number.POSITIVE_INFINITY) <= NEWEST,
      keywords: (keywords[emoji] ?? []).map((word) => searchKey(word.replaceAll('_', ' '))),
    })),
}))

const ALL = EMOJI_GROUPS.flatMap(({ emojis }) => emojis)
const BY_CHARACTER: ReadonlyMap<string, Emoji> = new Map(ALL.map((emoji) => [emoji.character, emoji]))

/** The emojis of these characters, without unknown ones. */
export function toEmojis(characters: readonly string[]): Emoji[] {
  return characters.flatMap((character) => BY_CHARACTER.get(character) ?? [])
}

export const SKIN_TONES = ['none', 'light', 'mediumLight', 'medium', 'mediumDark', 'dark'] as const
export type SkinTone = (typeof SKIN_TONES)[number]

/** Unicode's modifiers of light to dark follow each other. */
const LIGHT_MODIFIER = 0x1_f3_fb

/** A person or hand, with the sign that it is drawn in colour. The handshake that joins two people takes none. */
const TONED_PART = /(?<!\u200D)\p{Emoji_Modifier_Base}\uFE0F?|(?!🤝)\p{Emoji_Modifier_Base}\uFE0F?/gu

/** The characters of an emoji with this skin tone, if it can have one. Couples get the same tone twice. */
export function withTone({ character, hasTones }: Emoji, tone: SkinTone): string {
  if (!hasTones || tone === 'none') return character
  const modifier = String.fromCodePoint(LIGHT_MODIFIER + SKIN_TONES.indexOf(tone) - 1)
  return character.replace(TONED_PART, (part) => part.replace('\uFE0F', '') + modifier)
}

/** How many emojis a search shows. */
const FOUND_MOST = 96

/** How well an emoji matches, 0 best; null if not at all. Every word of the query starts a word of its name or keywords. */
function rank({ name, keywords: more }: Emoji, query: string): number | null {
  const startsWord = (text: string, word: string) => ` ${text}`.includes(` ${word}`)
  const title = searchKey(name)
  if (title.startsWith(query)) return 0
  const words = query.split(' ')
  if (words.every((word) => startsWord(title, word))) return 1
  return words.every((word) => [title, ...more].some((text) => startsWord(text, word))) ? 2 : null
}

/** The emojis with this name or meaning, best first. */
export function searchEmojis(text: string): Emoji[] {
  const query = searchKey(text.trim()).replace(/\s+/gu, ' ')
  return ALL.flatMap((emoji) => {
    const at = rank(emoji, query)
    return at === null ? [] : [{ emoji, at }]
  })
    .sort((a, b) => a.at - b.at)
    .slice(0, FOUND_MOST)
    .map(({ emoji }) => emoji)
}

/** A place in rows of emojis. */
export interface GridPlace {
  section: number
  index: number
}

/** The place that an arrow key moves to; rows do not continue in the next section. */
export function moveInGrid(
  sizes: readonly number[],
  columns: number,
  { section, index }: GridPlace,
  key: 'ArrowLeft' | 'ArrowRight' | 'ArrowUp' | 'ArrowDown',
): GridPlace {
  const size = sizes[section] ?? 0
  const column = index % columns
  const last = (of: number) => (sizes[of] ?? 0) - 1
  switch (key) {
    case 'ArrowRight':
      if (index < size - 1) return { section, index: index + 1 }
      return section < sizes.length - 1 ? { section: section + 1, index: 0 } : { section, index }
    case 'ArrowLeft':
      if (index > 0) return { section, index: index - 1 }
      return section > 0 ? { section: section - 1, index: last(section - 1) } : { section, index }
    case 'ArrowDown': {
      const isLastRow = Math.floor(index / columns) === Math.floor((size - 1) / columns)
      if (!isLastRow) return { section, index: Math.min(index + columns, size - 1) }
      if (section === sizes.length - 1) return { section, index }
      return { section: section + 1, index: Math.min(column, last(section + 1)) }
    }
    case 'ArrowUp': {
      if (index >= columns) return { section, index: index - columns }
      if (section === 0) return { section, index }
      const end = last(section - 1)
      return { section: section - 1, index: Math.min(end - (end % columns) + column, end) }
    }
  }
}

import ranges from '@fontsource/noto-color-emoji/unicode.json'

const FILES = import.meta.glob<string>(
  '../../../../node_modules/@fontsource/noto-color-emoji/files/noto-color-emoji-[0-9]*-400-normal.woff2',
  { eager: true, exhaustive: true, import: 'default', query: '?url' },
)

/** The family at the end of `--font-emoji` in styles.css, behind the emojis of all systems. */
export const EMOJI_FAMILY = 'Vignette Emoji'

/** The parts of the font: their address, and the characters for which it is loaded. */
export const EMOJI_PARTS = Object.entries(FILES).flatMap(([path, url]) => {
  const part = /emoji-(\d+)-400/.exec(path)?.[1]
  const unicodeRange = Object.entries(ranges).find(([name]) => name === `[${part}]`)?.[1]
  return unicodeRange === undefined ? [] : [{ url, unicodeRange }]
})

/** Declares a font for emojis that the system cannot draw. A part is loaded when a text needs it, so most systems load none. */
export function declareEmojiFont(): void {
  for (const { url, unicodeRange } of EMOJI_PARTS)
    document.fonts.add(new FontFace(EMOJI_FAMILY, `url(${url})`, { unicodeRange, display: 'swap' }))
}

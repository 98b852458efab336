import { texts } from '#/renderer/lib/texts'
import type { MediaErrorCode } from './media-error'
import type { MediaFile } from './media-file'

/** Code points of a name that are shown, of its start and of its end, which has the extension. */
const [START, END] = [24, 15]

/** What could show a name in another order than it is written (`holiday\u202egpj.exe`), or in several lines. */
const CONTROLS = /[\p{Bidi_Control}\p{Cc}\u2028\u2029]/gu

/** A file's name without such characters, cut in the middle. */
export function shownName(name: string): string {
  const characters = Array.from(name.replace(CONTROLS, ''))
  if (characters.length <= START + END + 1) return characters.join('')
  return `${characters.slice(0, START).join('')}…${characters.slice(-END).join('')}`
}

/** Why a file was refused, with its name if it is known. */
export function fileRefusal(name: string | null, code: MediaErrorCode, longestSeconds?: number): string {
  const why = longestSeconds === undefined ? texts.media[code] : texts.media.longestVideo(longestSeconds)
  const shown = shownName(name ?? '')
  return shown === '' ? why : texts.media.refused(shown, why)
}

/** The name of a chosen file; null for a picture without one. */
export function nameOf(source: MediaFile): string | null {
  return 'name' in source && source.name !== '' ? source.name : null
}

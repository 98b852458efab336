import { type Field, fieldsIn } from '#/renderer/lib/checked-values'
import { STORED_PIXELS } from '#/shared/limits'

/** Replaces a picture that is unsafe to decode: an `<img>` reports it as broken. */
export const BROKEN_PICTURE = 'data:,'

/** Maximum pixels of a picture, and the replacement of a larger one. */
interface Limit {
  pixels: number
  instead: string | null
}

/** The limits of the pictures in each column. */
const COLUMNS: Readonly<Record<string, Limit>> = {
  avatar_url: { pixels: STORED_PIXELS.small, instead: null },
  thumbnail_url: { pixels: STORED_PIXELS.small, instead: null },
  image_url: { pixels: STORED_PIXELS.picture, instead: BROKEN_PICTURE },
  media_url: { pixels: STORED_PIXELS.story, instead: BROKEN_PICTURE },
}

/**
 * Replaces pictures in fetched rows that would take too much memory when decoded: the database limits the length of a
 * data URL, not its pixels. Mutates and returns the rows.
 */
export async function withSafePictures<T>(rows: T): Promise<T> {
  const pictures: (Field & { url: string; limit: Limit })[] = []
  for (const field of fieldsIn(rows)) {
    const limit = COLUMNS[field.column]
    const { value: url } = field
    if (limit !== undefined && typeof url === 'string' && url.startsWith('data:image/'))
      pictures.push({ ...field, url, limit })
  }
  if (pictures.length === 0) return rows
  // Not in the first load: a server with Storage sends none.
  const { pixelsOf } = await import('./picture-pixels')
  for (const { row, column, url, limit } of pictures)
    if (pixelsOf(url) > limit.pixels) row[column] = limit.instead
  return rows
}

import { type Field, fieldsIn } from '#/renderer/lib/server/checks/checked-values'
import { STORED_PIXELS } from '#/shared/limits'

/** Replaces a picture or video that must not be shown: an `<img>` reports it as broken. */
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
  media_url: { pixels: STORED_PIXELS.picture, instead: BROKEN_PICTURE },
}

interface InlineMedia extends Field {
  url: string
  limit: Limit
}

function inlineMediaIn(rows: unknown): InlineMedia[] {
  const found: InlineMedia[] = []
  for (const field of fieldsIn(rows)) {
    const limit = COLUMNS[field.column]
    const { value: url } = field
    if (limit !== undefined && typeof url === 'string' && url.startsWith('data:'))
      found.push({ ...field, url, limit })
  }
  return found
}

/** Whether rows contain pictures or videos that `withSafePictures` has to check. */
export function hasInlineMedia(rows: unknown): boolean {
  return inlineMediaIn(rows).length > 0
}

/**
 * Replaces pictures and videos in fetched rows that must not reach a decoder: the database limits the length of a data URL, not what
 * it contains. Mutates and returns the rows.
 */
export async function withSafePictures<T>(rows: T): Promise<T> {
  const found = inlineMediaIn(rows)
  if (found.length === 0) return rows
  // Not in the first load: a server with Storage sends none.
  const { isSafePicture, isSafeVideo } = await import('./inline-content')
  for (const { row, column, url, limit } of found) {
    const isSafe = url.startsWith('data:video/') ? isSafeVideo(url) : isSafePicture(url, limit.pixels)
    if (!isSafe) row[column] = limit.instead
  }
  return rows
}

import { STORED_PIXELS } from '#/shared/limits'

/** Replaces a picture that is unsafe to decode: an `<img>` reports it as broken. */
export const BROKEN_PICTURE = 'data:,'

/** Maximum pixels of the pictures in each column, and the replacement of larger ones. */
const COLUMNS: Readonly<Record<string, { pixels: number; instead: string | null }>> = {
  avatar_url: { pixels: STORED_PIXELS.small, instead: null },
  thumbnail_url: { pixels: STORED_PIXELS.small, instead: null },
  image_url: { pixels: STORED_PIXELS.picture, instead: BROKEN_PICTURE },
  media_url: { pixels: STORED_PIXELS.story, instead: BROKEN_PICTURE },
}

interface InlinePicture {
  row: object
  column: string
  url: string
}

function inlinePicturesIn(rows: unknown): InlinePicture[] {
  if (typeof rows !== 'object' || rows === null) return []
  return Object.entries(rows).flatMap(([column, value]) => {
    if (COLUMNS[column] === undefined) return inlinePicturesIn(value)
    return typeof value === 'string' && value.startsWith('data:image/')
      ? [{ row: rows, column, url: value }]
      : []
  })
}

/**
 * Replaces pictures in fetched rows that would take too much memory when decoded: the database limits the length of a
 * data URL, not its pixels. Mutates and returns the rows.
 */
export async function withSafePictures<T>(rows: T): Promise<T> {
  const pictures = inlinePicturesIn(rows)
  if (pictures.length === 0) return rows
  // Not in the first load: a server with Storage sends none.
  const { pixelsOf } = await import('./picture-pixels')
  for (const { row, column, url } of pictures) {
    const limit = COLUMNS[column]
    if (limit !== undefined && pixelsOf(url) > limit.pixels) Object.assign(row, { [column]: limit.instead })
  }
  return rows
}

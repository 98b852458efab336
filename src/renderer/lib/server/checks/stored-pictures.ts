import { wait } from '#/renderer/lib/core/schedule'
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

/** Columns with pictures and videos, also as data URLs. */
export const MEDIA_COLUMNS: ReadonlySet<string> = new Set(Object.keys(COLUMNS))

/** A column of a fetched row. */
export interface Field {
  row: Record<string, unknown>
  column: string
}

function urlOf({ row, column }: Field): string | null {
  const url = row[column]
  return typeof url === 'string' ? url : null
}

/** Whether columns contain pictures or videos that `replaceUnsafe` has to check. */
export function hasInlineMedia(fields: readonly Field[]): boolean {
  return fields.some((field) => urlOf(field) !== null)
}

/** How long pictures are checked in one task, in milliseconds: a longer task delays input. */
const TASK_MS = 50

/** What the database accepts: other addresses would load from anywhere what nobody has checked. */
const INLINE = /^data:(image|video)\//

/**
 * Replaces pictures and videos in fetched rows that must not reach a decoder: the database limits the length of a data URL, not what
 * it contains. Lets the page draw in between: a page of messages has 150 thumbnails, which anybody may have written.
 */
export async function replaceUnsafe(fields: readonly Field[]): Promise<void> {
  if (!hasInlineMedia(fields)) return
  // Not in the first load: a server with Storage sends none.
  const { isSafePicture, isSafeVideo } = await import('./inline-content')
  let since = performance.now()
  for (const field of fields) {
    if (performance.now() - since > TASK_MS) {
      await wait()
      since = performance.now()
    }
    const { row, column } = field
    const url = urlOf(field)
    const limit = COLUMNS[column]
    if (url === null || limit === undefined) continue
    const isSafe =
      INLINE.test(url) &&
      (url.startsWith('data:video/') ? await isSafeVideo(url) : isSafePicture(url, limit.pixels))
    if (!isSafe) row[column] = limit.instead
  }
}

import { createHash } from 'node:crypto'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { NativeImage } from 'electron'
import type { Log } from './log'

/** Width and height of a picture in a notification, in pixels. */
const SIDE = 96
/** A larger picture is not decoded, however few bytes it has. */
const MAX_SIDE = 256
const PNG_START = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

/** Whether these bytes start as a PNG of at most 256 × 256 pixels. */
function isSmallPng(bytes: Buffer): boolean {
  if (bytes.length < 24 || !bytes.subarray(0, 8).equals(PNG_START)) return false
  const [width, height] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)]
  return width > 0 && height > 0 && width <= MAX_SIDE && height <= MAX_SIDE
}

export interface PictureParts {
  /** Where Windows finds the pictures of its notifications, which it takes as files only. */
  folder: string
  decode(bytes: Buffer): NativeImage
  log: Pick<Log, 'warn'>
}

export interface NotificationPictures {
  /** The picture in a PNG data URL; null if there is none that can be shown. */
  image(dataUrl: string | undefined): NativeImage | null
  /** Writes the picture; gives the URL of its file, or null. */
  write(image: NativeImage): Promise<string | null>
  /** Removes the files. */
  clear(): Promise<void>
}

/** Pictures of senders for notifications. They come from the page, are small, and are never loaded from a network. */
export function createNotificationPictures({ folder, decode, log }: PictureParts): NotificationPictures {
  return {
    image: (dataUrl) => {
      const bytes = Buffer.from(/^data:image\/png;base64,(.+)$/.exec(dataUrl ?? '')?.[1] ?? '', 'base64')
      if (!isSmallPng(bytes)) return null
      const image = decode(bytes)
      return image.isEmpty() ? null : image.resize({ width: SIDE, height: SIDE, quality: 'good' })
    },
    write: async (image) => {
      try {
        const png = image.toPNG()
        const path = join(folder, `${createHash('sha256').update(png).digest('hex').slice(0, 32)}.png`)
        await mkdir(folder, { recursive: true })
        await writeFile(path, png)
        return pathToFileURL(path).href
      } catch (cause) {
        log.warn('picture of a notification not written', cause)
        return null
      }
    },
    clear: () =>
      rm(folder, { recursive: true, force: true }).catch((cause: unknown) =>
        log.warn('pictures of notifications not removed', cause),
      ),
  }
}

import { createHash } from 'node:crypto'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { NativeImage } from 'electron'
import type { Log } from '#/main/log'

/** Width and height of a picture in a notification, in pixels. */
const SIDE_PX = 96
/** Larger pictures are not decoded, however small their file is. */
const MAX_SIDE_PX = 256
const PNG_SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

/** Whether the bytes have the header of a PNG of at most 256 × 256 pixels. */
function isSmallPng(bytes: Buffer): boolean {
  if (bytes.length < 24 || !bytes.subarray(0, 8).equals(PNG_SIGNATURE)) return false
  const [width, height] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)]
  return width > 0 && height > 0 && width <= MAX_SIDE_PX && height <= MAX_SIDE_PX
}

export interface PictureParts {
  /** Windows takes the pictures of notifications only as files, written to this folder. */
  folder: string
  decode(bytes: Buffer): NativeImage
  log: Pick<Log, 'warn'>
}

export interface NotificationPictures {
  /** Decodes a PNG data URL; null if it is not a valid small PNG. */
  image(dataUrl: string | undefined): NativeImage | null
  /** Writes the picture to a file and returns its URL, or null on failure. */
  write(image: NativeImage): Promise<string | null>
  /** Deletes all files. */
  clear(): Promise<void>
}

/** Sender pictures for notifications. They come from the page and are never loaded from the network. */
export function createNotificationPictures({ folder, decode, log }: PictureParts): NotificationPictures {
  return {
    image: (dataUrl) => {
      const bytes = Buffer.from(/^data:image\/png;base64,(.+)$/.exec(dataUrl ?? '')?.[1] ?? '', 'base64')
      if (!isSmallPng(bytes)) return null
      const image = decode(bytes)
      return image.isEmpty() ? null : image.resize({ width: SIDE_PX, height: SIDE_PX, quality: 'good' })
    },
    write: async (image) => {
      try {
        const png = image.toPNG()
        const path = join(folder, `${createHash('sha256').update(png).digest('hex').slice(0, 32)}.png`)
        await mkdir(folder, { recursive: true })
        await writeFile(path, png)
        return pathToFileURL(path).href
      } catch (cause) {
        log.warn('could not write a notification picture', cause)
        return null
      }
    },
    clear: () =>
      rm(folder, { recursive: true, force: true }).catch((cause: unknown) =>
        log.warn('could not delete the notification pictures', cause),
      ),
  }
}

import { BlobSource, CustomSource, type Source } from 'mediabunny'
import { type MediaFile, readPart } from '#/renderer/lib/media/source/media-file'

/**
 * How mediabunny reads a video.
 *
 * @param zeros offsets of bytes to read as zero
 */
export function sourceOf(file: MediaFile, zeros: readonly number[]): Source {
  if (file instanceof Blob && zeros.length === 0) return new BlobSource(file)
  return new CustomSource({
    getSize: () => file.size,
    read: async (start, end) => {
      const bytes = await readPart(file, start, end)
      for (const at of zeros) if (at >= start && at < end) bytes[at - start] = 0
      return bytes
    },
    prefetchProfile: file instanceof Blob ? 'fileSystem' : 'network',
  })
}

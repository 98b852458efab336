import type { NativeImage, nativeImage as RealImage } from 'electron'
import { knowsOnly, requireReady, strict, type Unknown } from './life'

/** The PNG signature. Electron decodes only PNG and JPEG. */
const PNG_START = '89504e47'

type StandinImage = Pick<NativeImage, 'isEmpty' | 'resize' | 'toPNG'> & { width: number | undefined }

function imageOf(bytes: Buffer, width?: number): StandinImage {
  const image: StandinImage = {
    width,
    isEmpty: () => bytes.subarray(0, 4).toString('hex') !== PNG_START,
    resize: (options) => imageOf(bytes, options.width) as StandinImage & NativeImage,
    toPNG: () => bytes,
  }
  return strict('NativeImage', image)
}

const standin = {
  createFromBuffer(buffer: Buffer): StandinImage {
    requireReady('nativeImage')
    return imageOf(buffer)
  },

  createFromPath(path: string): Pick<NativeImage, 'isEmpty'> & { path: string } {
    requireReady('nativeImage')
    return { path, isEmpty: () => false }
  },
}

knowsOnly<Unknown<typeof standin, typeof RealImage>>()

export const nativeImage = strict('nativeImage', standin)

import type { NativeImage, nativeImage as RealImage } from 'electron'
import { knowsOnly, requireReady, strict, type Unknown } from './life'

const standin = {
  createFromPath(path: string): Pick<NativeImage, 'isEmpty'> & { path: string } {
    requireReady('nativeImage')
    return { path, isEmpty: () => false }
  },
}

knowsOnly<Unknown<typeof standin, typeof RealImage>>()

export const nativeImage = strict('nativeImage', standin)

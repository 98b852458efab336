import type { NativeImage } from 'electron'
import { requireReady, strict } from './life'

export const nativeImage = strict('nativeImage', {
  createFromPath(path: string): Pick<NativeImage, 'isEmpty'> & { path: string } {
    requireReady('nativeImage')
    return { path, isEmpty: () => false }
  },
})

import { READS_HEIC } from './hevc'

/**
 * Name extensions of the photos that members can choose. Dialogs and file associations offer exactly these; the content of a file decides
 * (media-formats.ts). tests/main/packaging.test.ts compares electron-builder.yml.
 */
export const PHOTO_EXTENSIONS: readonly string[] = [
  'jpg',
  'jpeg',
  'jpe',
  'jfif',
  'mpo',
  'png',
  'apng',
  'webp',
  'gif',
  'avif',
  'bmp',
  ...(READS_HEIC ? ['heic', 'heif', 'hif'] : []),
  'tif',
  'tiff',
  'jxl',
  'dng',
  'cr2',
  'cr3',
  'nef',
  'arw',
  'raf',
  'rw2',
  'orf',
]

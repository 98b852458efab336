import { type Exif, exifOf, orientationOf } from '#/renderer/lib/media/metadata/exif'
import { embeddedJpegs, isRawTiff } from '#/renderer/lib/media/metadata/raw-preview'
import { checkPixels, inspectPicture, REDUCED_PIXELS } from '#/renderer/lib/media/source/check-source'
import { MediaError } from '#/renderer/lib/media/source/media-error'
import { READS_HEIC } from '#/shared/hevc'
import type { Dimensions, PhotoKind } from '#/shared/media-formats'
import { browserSource } from './browser-source'
import { contextOf } from './drawing'
import { decodeForeign, decodeHeicPreview } from './foreign-decoder-store'
import { turnUpright } from './turn-picture'

/** A decoded photo. */
export interface DecodedPicture {
  /** Upright, with the colours of the file: see `gamutOf`. To be closed after use. */
  image: ImageBitmap
  /** Of a RAW file with the header of TIFF `tiff`. */
  kind: PhotoKind
  /** Size of the upright photo. The image is smaller if it was decoded at a reduced size: see `REDUCED_PIXELS`. */
  original: Dimensions
}

/** A decoded photo before it is turned; `size` is that of the whole photo. */
interface StoredPicture {
  image: ImageBitmap
  size: Dimensions
  /** What is still to be applied: 1 if the decoder has applied it. */
  orientation: number
}

/** Pixels of the picture that the composer shows. */
const PREVIEW_PIXELS = 2_000_000

/**
 * Decodes a chosen file upright, after checking its header: of a RAW file the camera's preview, of an animated file the first frame, of a
 * burst the first picture. Runs in a worker. Throws MediaError.
 * @param pixels Chromium decodes a picture with more pixels at a reduced size
 */
export async function decodePicture(source: Blob, pixels = REDUCED_PIXELS): Promise<DecodedPicture> {
  const bytes = await readBytes(source)
  const { kind, size } = inspectPicture(bytes)
  return upright(await decodeStored({ source, bytes, pixels }, kind, size), kind)
}

/**
 * The same, small and in little time; null if the format offers no such version.
 * @param share of the photo that will be shown, from 0 to 1
 */
export async function decodePreview(source: Blob, share = 1): Promise<DecodedPicture | null> {
  const bytes = await readBytes(source)
  const { kind, size } = inspectPicture(bytes)
  if (kind === 'heic') {
    if (!READS_HEIC) throw new MediaError('heic')
    const preview = await decodeHeicPreview(source)
    return preview && upright({ ...preview, orientation: 1 }, kind)
  }
  if (kind === 'tiff' && !isRawTiff(bytes)) return null
  const pixels = Math.min(REDUCED_PIXELS, PREVIEW_PIXELS / share)
  return upright(await decodeStored({ source, bytes, pixels }, kind, size), kind)
}

function upright(stored: StoredPicture, kind: PhotoKind): DecodedPicture {
  try {
    // The header may have been wrong.
    checkPixels(stored.image)
    const image = turnUpright(stored.image, stored.orientation)
    return { image, kind, original: alike(stored.size, image) }
  } catch (error) {
    stored.image.close()
    throw error
  }
}

interface PhotoFile {
  source: Blob
  /** All bytes of it. */
  bytes: Uint8Array
  /** The picture is decoded at a reduced size above. */
  pixels: number
}

async function decodeStored(
  photo: PhotoFile,
  kind: PhotoKind,
  size: Dimensions | null,
): Promise<StoredPicture> {
  const { source, bytes, pixels } = photo
  const orientation = async () => orientationOf(await exifOf(bytes, kind))
  if (kind === 'heic') {
    if (!READS_HEIC) throw new MediaError('heic')
    return { ...(await decodeForeign(source, kind)), orientation: 1 }
  }
  if (kind === 'tiff' && !isRawTiff(bytes))
    return {
      ...(await decodeForeign(source, kind)),
      orientation: await orientation(),
    }
  if (size === null) return decodeRaw(photo, await exifOf(bytes, kind))
  if (kind === 'jpeg' || kind === 'png')
    return { image: await decodePart(photo, kind, size), size, orientation: await orientation() }
  const image = await decodeInBrowser(source, kind, size, pixels)
  // The header of an AVIF may say that only a part is shown, that of a GIF that a later frame is larger.
  const shown = scaleFor(size, pixels) < 1 ? size : { width: image.width, height: image.height }
  // Chromium applies what the containers of the others say, in which EXIF does not count.
  return { image, size: shown, orientation: kind === 'webp' ? await orientation() : 1 }
}

/** Decodes a JPEG or PNG without what Chromium would apply or trip over. */
async function decodePart(
  { source, bytes, pixels }: PhotoFile,
  kind: 'jpeg' | 'png',
  size: Dimensions,
): Promise<ImageBitmap> {
  const { file, control } = browserSource(source, bytes, kind)
  const image = await decodeInBrowser(file, kind, size, pixels)
  if (control !== null) checkComplete(image, await decodeInBrowser(control, kind, size, pixels))
  return image
}

/** Decodes the largest JPEG in a RAW file that can be decoded. What the file says of its orientation counts, else what the JPEG says. */
async function decodeRaw({ source, bytes, pixels }: PhotoFile, exif: Exif | null): Promise<StoredPicture> {
  for (const { start, width, height } of embeddedJpegs(bytes)) {
    const size = { width, height }
    checkPixels(size)
    const preview = { source: source.slice(start), bytes: bytes.subarray(start), pixels }
    try {
      const image = await decodePart(preview, 'jpeg', size)
      const orientation = orientationOf(exif ?? (await exifOf(preview.bytes, 'jpeg')))
      return { image, size, orientation }
    } catch (error) {
      if (!(error instanceof MediaError) || error.code !== 'broken') throw error
    }
  }
  throw new MediaError('raw')
}

/** Throws MediaError 'failed' if the file was moved or changed after it was chosen, or is a folder. */
async function readBytes(source: Blob): Promise<Uint8Array> {
  try {
    return new Uint8Array(await source.arrayBuffer())
  } catch (cause) {
    throw new MediaError('failed', { cause })
  }
}

/** The scale at which a picture has no more than `pixels`. */
function scaleFor({ width, height }: Dimensions, pixels: number): number {
  return Math.min(1, Math.sqrt(pixels / (width * height)))
}

/** Decodes with Chromium, at a reduced size above `pixels`. Throws MediaError 'broken', also for half of a picture. */
async function decodeInBrowser(
  file: Blob,
  kind: PhotoKind,
  size: Dimensions,
  pixels: number,
): Promise<ImageBitmap> {
  const scale = scaleFor(size, pixels)
  try {
    if (scale === 1) return await createImageBitmap(file)
    if (kind === 'jpeg' && 'ImageDecoder' in globalThis) return await decodeReduced(file, size, scale)
    return await createImageBitmap(file, {
      resizeWidth: Math.ceil(size.width * scale),
      resizeQuality: 'high',
    })
  } catch (cause) {
    throw new MediaError('broken', { cause })
  }
}

/** Decodes a JPEG at the largest size below the scale that its decoder offers: a number of eighths. */
async function decodeReduced(file: Blob, { width, height }: Dimensions, scale: number): Promise<ImageBitmap> {
  const decoder = new ImageDecoder({
    type: 'image/jpeg',
    data: file.stream(),
    desiredWidth: Math.floor(width * scale),
    desiredHeight: Math.floor(height * scale),
  })
  try {
    const { image: frame } = await decoder.decode()
    try {
      return await createImageBitmap(frame)
    } finally {
      frame.close()
    }
  } finally {
    decoder.close()
  }
}

/** Throws MediaError 'broken' unless both are the same, and closes the second. */
function checkComplete(image: ImageBitmap, control: ImageBitmap): void {
  const { width, height } = image
  // The noise changes what is missing, and with it all that follows: the last rows tell.
  const rows = Math.min(height, 64)
  const drawing = contextOf(new OffscreenCanvas(width, rows), 'srgb')
  drawing.drawImage(image, 0, rows - height)
  drawing.globalCompositeOperation = 'difference'
  drawing.drawImage(control, 0, rows - height)
  control.close()
  const { data } = drawing.getImageData(0, 0, width, rows)
  // Each pixel is opaque.
  if (data.some((value, index) => index % 4 !== 3 && value !== 0)) {
    image.close()
    throw new MediaError('broken')
  }
}

/** The size, its sides exchanged if the picture was turned. */
function alike({ width, height }: Dimensions, picture: Dimensions): Dimensions {
  const isTurned = width > height !== picture.width > picture.height
  return isTurned ? { width: height, height: width } : { width, height }
}

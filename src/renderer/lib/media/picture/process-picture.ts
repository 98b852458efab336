import { rgbaToThumbHash } from 'thumbhash'
import { decodePicture, decodePreview } from '#/renderer/lib/media/decode/decode-picture'
import { type Drawing, drawingOf } from '#/renderer/lib/media/decode/drawing'
import { MediaError } from '#/renderer/lib/media/source/media-error'
import { STORED_PICTURE } from '#/shared/limits'
import type { Dimensions } from '#/shared/media-formats'
import {
  createEncoder,
  encodeGraphic,
  onGround,
  readEdited,
  readPixels,
  SMALLEST_SIDE,
  type StoredType,
  searchQuality,
  storedType,
  toSrgb,
} from './encode'
import {
  editedSize,
  editTransform,
  isUnedited,
  type PictureEdit,
  type SquareCrop,
  UNEDITED,
  WHOLE,
} from './picture-edit'
import { applyLook, isUnchanged } from './picture-look'
import type { StoredPicture, ViewablePicture } from './picture-request'
import { fullSize, pictureSizes, scaledBy } from './picture-sizes'
import { fitWithin, type Pixels, scaleDown } from './scale'

/** Of the smaller sizes, whose bytes are not limited. */
const SIZE_QUALITY = 0.8

type OnProgress = (fraction: number) => void

/**
 * Converts a photo for storage: upright, small, in sRGB or Display P3, and without metadata such as location or camera. Takes a
 * second or more, so it runs in a worker. Throws MediaError.
 * @param onProgress receives the fraction done, from 0 to 1
 */
export async function processPicture(
  source: Blob,
  onProgress: OnProgress,
  edit = UNEDITED,
): Promise<StoredPicture> {
  onProgress(0.1)
  const { image: bitmap } = await decodePicture(source)
  onProgress(0.45)
  return storePicture(bitmap, edit, onProgress)
}

/** The pixels of the edited picture, its longest side less than twice `side`. Closes the bitmap. */
function readPicture(bitmap: ImageBitmap, edit: PictureEdit, side: number): Pixels {
  if (isUnedited(edit)) return readPixels(bitmap, side, { halveFrom: 2 })
  const pixels = readEdited(bitmap, edit, side * 2)
  applyLook(pixels, edit)
  return pixels
}

/** Up to four sizes of a picture as files, each scaled down from the one before, and a ThumbHash. */
export async function storePicture(
  bitmap: ImageBitmap,
  edit = UNEDITED,
  onProgress: OnProgress = () => undefined,
): Promise<StoredPicture> {
  const { width: fullWidth, height: fullHeight } = fullSize(
    isUnedited(edit) ? bitmap : editedSize(bitmap, edit),
  )
  const original = readPicture(bitmap, edit, Math.max(fullWidth, fullHeight))
  onProgress(0.5)
  let encodings = 0
  const handleEncoded = () => {
    encodings += 1
    onProgress(0.8 - 0.3 * 0.7 ** encodings)
  }
  const type = await storedType()
  const { blob: full, pixels } = await encodeFull(original, type, handleEncoded)
  const { width, height } = pixels
  const sizes = pictureSizes({ width, height })
  const middlePixels = scaleDown(pixels, sizes.middle)
  const middle = middlePixels === pixels ? undefined : await encodeSize(middlePixels, type)
  onProgress(0.9)
  const feedPixels = scaleDown(middlePixels, sizes.feed)
  const feed = await encodeSize(feedPixels, type)
  // A panorama is wider in grids than in the feed.
  const gridPixels = scaleDown(sizes.grid.width <= sizes.feed.width ? feedPixels : middlePixels, sizes.grid)
  const grid = await encodeSize(gridPixels, type)
  onProgress(1)
  return {
    full,
    ...(middle !== undefined && { middle }),
    feed,
    grid,
    thumbhash: thumbHashOf(gridPixels),
    width,
    height,
    colorSpace: pixels.colorSpace,
  }
}

/** A smaller size of a drawing may have this many times the bytes of a lossy one, to keep its colours. */
const GRAPHIC_BYTES = 2

async function encodeSize(pixels: Pixels, type: StoredType): Promise<Blob> {
  const encode = createEncoder(pixels, type)
  const lossy = await encode(SIZE_QUALITY)
  return (await encodeGraphic(pixels, type, encode, lossy.size * GRAPHIC_BYTES)) ?? lossy
}

const FULL_QUALITY = { min: 0.75, max: 0.9 }
/** A full picture that fills this fraction of its bytes is not encoded again at a better quality: that takes seconds. */
const FULL_ENOUGH = 0.8

/**
 * Encodes the full picture in at most `STORED_PICTURE.fullBytes` at a quality of 0.75 or better, a drawing without loss if that is
 * enough for it: makes the picture smaller until both hold. Throws MediaError 'too-large-after'.
 */
async function encodeFull(
  original: Pixels,
  type: StoredType,
  onEncoded: () => void,
): Promise<{ blob: Blob; pixels: Pixels }> {
  const { fullBytes } = STORED_PICTURE
  const { min, max } = FULL_QUALITY
  let size = fullSize(original)
  for (;;) {
    const pixels = scaleDown(original, size)
    const encoder = createEncoder(pixels, type)
    const encode = async (quality: number) => {
      const blob = await encoder(quality)
      onEncoded()
      return blob
    }
    const blob = await encode(min)
    const isTooLarge = blob.size > fullBytes
    const limit = isTooLarge ? fullBytes : Math.min(fullBytes, blob.size * GRAPHIC_BYTES)
    const graphic = await encodeGraphic(pixels, type, encoder, limit)
    if (graphic !== null) return { blob: graphic, pixels }
    if (isTooLarge) {
      if (Math.max(size.width, size.height) <= SMALLEST_SIDE) throw new MediaError('too-large-after')
      // Bytes grow with the pixels; a little less, because a smaller picture has more detail in each.
      size = scaledBy(size, 0.97 * Math.sqrt(fullBytes / blob.size))
      continue
    }
    if (blob.size > fullBytes * FULL_ENOUGH) return { blob, pixels }
    const encodeOnce = (quality: number) => (quality === min ? Promise.resolve(blob) : encode(quality))
    const better = await searchQuality(encodeOnce, fullBytes, { min, max })
    return { blob: better ?? blob, pixels }
  }
}

/** Longest side of the picture that the photo editor shows, and the pixels at which it is decoded: enough for it, and fast. */
const [VIEW_SIDE, VIEW_PIXELS] = [1_600, 4_000_000]

/** A photo that is being edited, on its ground. */
export interface OpenPhoto {
  image: ImageBitmap
  drawing: Drawing
}

/** Opens a photo for the photo editor: upright, small, and in its colours. Runs in a worker. Throws MediaError. */
export async function openPhoto(source: Blob): Promise<OpenPhoto> {
  const decoded = await decodePicture(source, VIEW_PIXELS)
  const drawing = drawingOf(decoded.image)
  const pixels = readPixels(decoded.image, VIEW_SIDE, { drawing })
  const { data, width, height, colorSpace } = scaleDown(pixels, fitWithin(pixels, VIEW_SIDE))
  return { image: await createImageBitmap(new ImageData(data, width, height, { colorSpace })), drawing }
}

/** How the photo editor shows an edit. */
export interface ShownEdit {
  edit: PictureEdit
  /** The longest side, in pixels. */
  side: number
  /** With the part that the crop area leaves out. */
  isWhole: boolean
}

/** Draws an edit of an open photo. */
export function drawPhoto({ image, drawing }: OpenPhoto, shown: ShownEdit): ImageBitmap {
  return drawEdited(image, drawing, shown).transferToImageBitmap()
}

/**
 * A version of an edited photo to show, with its colours: see `previewEdited`, `previewPicture` and `viewPicture`. Runs in a worker. Throws
 * MediaError.
 */
export async function processPreview(
  source: Blob,
  { side, isQuick }: { side: number; isQuick: boolean },
  edit = UNEDITED,
): Promise<ViewablePicture | null> {
  const { width, height } = edit.crop
  const decoded = await (isQuick ? decodePreview(source, width * height) : decodePicture(source))
  if (decoded === null) return null
  const { image, original } = decoded
  const drawing = drawingOf(image)
  const canvas = drawEdited(image, drawing, { edit, side, isWhole: false })
  image.close()
  const preview = await canvas.convertToBlob({ type: 'image/webp', quality: SIZE_QUALITY })
  return { source, preview, colorSpace: drawing.colorSpace, ...original }
}

/** A canvas with the edited picture. */
function drawEdited(
  image: ImageBitmap,
  drawing: Drawing,
  { edit, side, isWhole }: ShownEdit,
): OffscreenCanvas {
  const { crop } = edit
  const shape = isWhole ? { ...edit, crop: WHOLE } : edit
  const whole = editedSize(image, shape)
  const { width, height } = fitWithin(whole, side)
  const canvas = new OffscreenCanvas(width, height)
  const context = onGround(canvas, drawing)
  context.setTransform(...editTransform(image, shape, Math.max(width / whole.width, height / whole.height)))
  context.drawImage(image, 0, 0)
  if (isUnchanged(edit)) return canvas
  const pixels = context.getImageData(0, 0, width, height, { colorSpace: drawing.colorSpace })
  const area = {
    left: crop.left * width,
    top: crop.top * height,
    width: crop.width * width,
    height: crop.height * height,
  }
  applyLook(pixels, edit, isWhole ? area : undefined)
  context.putImageData(pixels, 0, 0)
  return canvas
}

/** Longest side of the picture that a ThumbHash is made from: the algorithm's maximum. */
const THUMBHASH_SIDE = 100

/** The ThumbHash of a picture, in base64. */
export function thumbHashOf(picture: Pixels): string {
  const { width, height, data } = toSrgb(scaleDown(picture, fitWithin(picture, THUMBHASH_SIDE)))
  return btoa(String.fromCharCode(...rgbaToThumbHash(width, height, data)))
}

/** The square in whole pixels, clamped to the picture. */
export function cropPixels(
  { left, top, side }: SquareCrop,
  { width, height }: Dimensions,
): { x: number; y: number; side: number } {
  const shorter = Math.min(width, height)
  const pixels = clamp(Math.round(side * shorter), 1, shorter)
  return {
    x: clamp(Math.round(left * width), 0, width - pixels),
    y: clamp(Math.round(top * height), 0, height - pixels),
    side: pixels,
  }
}

function clamp(value: number, min: number, max: number): number {
  return Math.min(max, Math.max(min, value))
}

/**
 * Crops a photo to the chosen square and encodes it, never enlarged, at most 320 × 320 pixels. Runs in a worker. Throws MediaError.
 */
export async function processAvatar(source: Blob, crop: SquareCrop): Promise<Blob> {
  const { image: bitmap } = await decodePicture(source)
  const { x, y, side } = cropPixels(crop, bitmap)
  const most = STORED_PICTURE.avatarSide
  const pixels = readPixels(bitmap, most, { part: { x, y, width: side, height: side } })
  return createEncoder(scaleDown(pixels, fitWithin(pixels, most)), await storedType())(SIZE_QUALITY)
}

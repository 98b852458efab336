import { checkPixels } from '#/renderer/lib/media/source/check-source'
import { MediaError } from '#/renderer/lib/media/source/media-error'
import { LIBHEIF_FOLDER } from '#/shared/csp'
import { SOURCE_LIMITS } from '#/shared/limits'
import { type ColourProfile, divideByAlpha, type TaggedPixels } from './tagged-pixels'

/**
 * The parts of libheif's C interface that are used (libheif-js 1.23.2). Functions that return a struct take its address first; pointers
 * and numbers are 32 bits.
 */
interface Libheif {
  HEAPU8: Uint8Array<ArrayBuffer>
  _malloc(bytes: number): number
  _heif_context_alloc(): number
  _heif_context_set_maximum_image_size_limit(context: number, side: number): void
  _heif_context_read_from_memory_without_copy(
    error: number,
    context: number,
    bytes: number,
    length: number,
    options: 0,
  ): void
  _heif_context_get_primary_image_handle(error: number, context: number, handle: number): void
  _heif_image_handle_get_width(handle: number): number
  _heif_image_handle_get_height(handle: number): number
  _heif_image_handle_get_list_of_thumbnail_IDs(handle: number, ids: number, most: number): number
  _heif_image_handle_get_thumbnail(error: number, handle: number, id: number, thumbnail: number): void
  _heif_image_handle_get_raw_color_profile_size(handle: number): number
  _heif_image_handle_get_raw_color_profile(error: number, handle: number, bytes: number): void
  _heif_image_handle_get_nclx_color_profile(error: number, handle: number, profile: number): void
  _heif_image_handle_is_premultiplied_alpha(handle: number): number
  _heif_decode_image(
    error: number,
    handle: number,
    image: number,
    colorspace: number,
    chroma: number,
    options: 0,
  ): void
  _heif_image_get_width(image: number, channel: number): number
  _heif_image_get_height(image: number, channel: number): number
  _heif_image_get_plane_readonly(image: number, channel: number, stride: number): number
}

/** heif_colorspace_RGB, heif_chroma_interleaved_RGBA and heif_channel_interleaved. */
const [RGB, RGBA, INTERLEAVED] = [1, 11, 10]
/** heif_error_Unsupported_filetype, heif_error_Unsupported_feature, and heif_error_Plugin_loading_error: this build lacks the codec. */
const UNSUPPORTED = [3, 4, 11]

/**
 * libheif, which is under the LGPL: a separate file that members can replace (docs/decisions/0070-photo-formats.md). The server of the
 * app's page serves it.
 */
const LIBHEIF_URL = `${LIBHEIF_FOLDER}libheif.mjs`

async function loadLibheif(): Promise<Libheif> {
  const { default: start }: { default: () => Libheif } = await import(/* @vite-ignore */ LIBHEIF_URL)
  return start()
}

/**
 * Decodes the primary image of a HEIC file, or for a preview its smaller version; null if it has none. Upright: libheif applies the
 * rotation and mirroring of the container, and EXIF does not count. Throws MediaError.
 */
export async function decodeHeic(source: Blob, isPreview: boolean): Promise<TaggedPixels | null> {
  const libheif = await loadLibheif().catch((cause: unknown) => {
    throw new MediaError('failed', { cause })
  })
  const bytes = new Uint8Array(await source.arrayBuffer())
  const file = libheif._malloc(bytes.length)
  libheif.HEAPU8.set(bytes, file)
  // The struct of an error, and one value of a result.
  const [error, result] = [libheif._malloc(16), libheif._malloc(8)]
  // The memory moves when it grows.
  const memory = () => new DataView(libheif.HEAPU8.buffer)
  const resultOf = (call: (error: number, result: number) => void): number | null => {
    call(error, result)
    return memory().getInt32(error, true) === 0 ? memory().getUint32(result, true) : null
  }
  const needed = (call: (error: number, result: number) => void): number => {
    const value = resultOf(call)
    if (value !== null) return value
    throw new MediaError(UNSUPPORTED.includes(memory().getInt32(error, true)) ? 'unsupported' : 'broken')
  }

  const readProfile = (handle: number): ColourProfile => {
    const size = libheif._heif_image_handle_get_raw_color_profile_size(handle)
    if (size > 0) {
      const icc = libheif._malloc(size)
      libheif._heif_image_handle_get_raw_color_profile(error, handle, icc)
      return { icc: libheif.HEAPU8.slice(icc, icc + size) }
    }
    const nclx = resultOf((at, to) => libheif._heif_image_handle_get_nclx_color_profile(at, handle, to))
    if (nclx === null) return null
    // A struct of the version, and as enumerations the primaries and the transfer function.
    return { primaries: memory().getUint32(nclx + 4, true), transfer: memory().getUint32(nclx + 8, true) }
  }

  const context = libheif._heif_context_alloc()
  libheif._heif_context_set_maximum_image_size_limit(context, SOURCE_LIMITS.imageSide)
  needed((at) => libheif._heif_context_read_from_memory_without_copy(at, context, file, bytes.length, 0))
  const primary = needed((at, handle) => libheif._heif_context_get_primary_image_handle(at, context, handle))
  let handle = primary
  if (isPreview) {
    if (libheif._heif_image_handle_get_list_of_thumbnail_IDs(primary, result, 1) !== 1) return null
    const id = memory().getUint32(result, true)
    handle = needed((at, to) => libheif._heif_image_handle_get_thumbnail(at, primary, id, to))
  }
  checkPixels({
    width: libheif._heif_image_handle_get_width(handle),
    height: libheif._heif_image_handle_get_height(handle),
  })
  const image = needed((at, to) => libheif._heif_decode_image(at, handle, to, RGB, RGBA, 0))
  const width = libheif._heif_image_get_width(image, INTERLEAVED)
  const height = libheif._heif_image_get_height(image, INTERLEAVED)
  const plane = libheif._heif_image_get_plane_readonly(image, INTERLEAVED, result)
  const data = copyRows(libheif.HEAPU8, { plane, stride: memory().getUint32(result, true), width, height })
  if (libheif._heif_image_handle_is_premultiplied_alpha(handle) !== 0) divideByAlpha(data)
  return { data, width, height, profile: readProfile(primary) }
}

interface Plane {
  plane: number
  stride: number
  width: number
  height: number
}

function copyRows(
  heap: Uint8Array<ArrayBuffer>,
  { plane, stride, width, height }: Plane,
): Uint8ClampedArray<ArrayBuffer> {
  const row = width * 4
  const data = new Uint8ClampedArray(row * height)
  if (stride === row) data.set(heap.subarray(plane, plane + data.length))
  else
    for (let y = 0; y < height; y += 1)
      data.set(heap.subarray(plane + y * stride, plane + y * stride + row), y * row)
  return data
}

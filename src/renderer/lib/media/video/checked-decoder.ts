import { MediaError } from '#/renderer/lib/media/source/media-error'
import { parameterChecker } from '#/renderer/lib/media/video-file/parameter-sets'
import { bytesOf } from '#/renderer/lib/media/video-file/user-data'
import { type CheckPacket, type CheckSize, frameChecker, withFrameIndex } from '#/shared/frame-sizes'
import { SOURCE_LIMITS } from '#/shared/limits'

const checkSize: CheckSize = ({ width, height, bytesPerPixel }) => {
  const pixels = width * height
  if (pixels > SOURCE_LIMITS.videoPixels || pixels * bytesPerPixel > SOURCE_LIMITS.videoPictureBytes)
    throw new MediaError('video-too-many-pixels')
}

/** The check of packets for a decoder with this configuration, by its codec as WebCodecs names it. */
function checkerOf({ codec, description }: VideoDecoderConfig): CheckPacket {
  const configuration = description === undefined ? null : bytesOf(description)
  if (/^avc[13]\./.test(codec)) return parameterChecker('avc', configuration, checkSize)
  if (/^h(?:vc|ev)1\./.test(codec)) return parameterChecker('hevc', configuration, checkSize)
  const kind = codec.startsWith('av01') ? 'av1' : codec.startsWith('vp09') ? 'vp9' : 'vp8'
  return frameChecker(kind, configuration ?? new Uint8Array(), checkSize)
}

/**
 * From now on, decoders get no packet with a picture that is larger than SOURCE_LIMITS allow: a container says nothing of pictures that
 * become larger, and a decoder would take gigabytes. They throw MediaError 'video-too-many-pixels', or a RangeError for damaged packets.
 */
export function checkDecoders(): void {
  globalThis.VideoDecoder = class extends VideoDecoder {
    #check: CheckPacket | null = null
    #hasIndex = false

    override configure(config: VideoDecoderConfig): void {
      this.#check = checkerOf(config)
      this.#hasIndex = config.codec.startsWith('vp09')
      super.configure(config)
    }

    override decode(chunk: EncodedVideoChunk): void {
      const packet = new Uint8Array(chunk.byteLength)
      chunk.copyTo(packet)
      // Of VP9, a decoder would read what is behind the first frame as another one.
      const data = this.#hasIndex ? withFrameIndex(packet) : packet
      this.#check?.(data)
      const { type, timestamp, duration } = chunk
      super.decode(
        data === packet
          ? chunk
          : new EncodedVideoChunk({ type, timestamp, data, ...(duration !== null && { duration }) }),
      )
    }
  }
}

import { EncodedPacketSink, VideoSampleSink } from 'mediabunny'
import type { MediaFile } from '#/renderer/lib/media/source/media-file'
import { drawerOf } from './draw-sample'
import { ROUNDING, withVideo } from './open-video'

/** Draws pictures of a video. */
export interface PictureReader {
  /**
   * The picture at a time, in seconds of the shown video; of the key frame before if `isRough`, which is much faster. Null if there is
   * none.
   */
  read(at: number, height: number, isRough: boolean): Promise<ImageBitmap | null>
}

/** Calls `use` with the pictures of a video. Throws MediaError. */
export function withPictures<T>(source: MediaFile, use: (pictures: PictureReader) => Promise<T>): Promise<T> {
  return withVideo(source, async ({ video, pictures, from, info }) => {
    const packets = new EncodedPacketSink(video)
    const samples = new VideoSampleSink(video)
    const timeOf = (at: number) => {
      const shown = from + Math.min(Math.max(0, at), info.seconds - ROUNDING)
      const part = pictures.find((each) => shown < each.to + each.shift) ?? pictures.at(-1)
      return Math.max(part?.from ?? 0, shown - (part?.shift ?? 0))
    }
    return use({
      read: async (at, height, isRough) => {
        const time = timeOf(at)
        const key = isRough ? await packets.getKeyPacket(time, { metadataOnly: true }) : null
        using sample =
          (await samples.getSample(key?.timestamp ?? time)) ??
          (await samples.getSample(await video.getFirstTimestamp()))
        if (sample === null) return null
        const width = Math.max(1, Math.round((info.width / info.height) * height))
        return (await drawerOf({ width, height }, false)(sample)).transferToImageBitmap()
      },
    })
  })
}

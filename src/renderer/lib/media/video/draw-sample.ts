import { VideoSample } from 'mediabunny'
import { MediaError } from '#/renderer/lib/media/source/media-error'
import type { Dimensions } from '#/shared/media-formats'

/**
 * The first field of an interlaced picture: every second row of each plane. Chromium's decoders weave both fields, which show two moments,
 * into one picture with combs at whatever moves.
 */
export async function fieldOf(sample: VideoSample): Promise<VideoSample> {
  const options = sample.format === null ? { format: 'RGBX' as const } : {}
  const bytes = new Uint8Array(sample.allocationSize(options))
  const planes = await sample.copyTo(bytes, options)
  return new VideoSample(bytes, {
    format: sample.format ?? 'RGBX',
    codedWidth: sample.visibleRect.width,
    codedHeight: Math.floor(sample.visibleRect.height / 2),
    layout: planes.map(({ offset, stride }) => ({ offset, stride: stride * 2 })),
    timestamp: sample.timestamp,
    duration: sample.duration,
    rotation: sample.rotation,
    colorSpace: sample.colorSpace.toJSON(),
  })
}

/** Draws pictures as they look on an SDR screen; of interlaced ones a field. */
export function drawerOf(
  { width, height }: Dimensions,
  isInterlaced: boolean,
): (sample: VideoSample) => Promise<OffscreenCanvas> {
  const canvas = new OffscreenCanvas(width, height)
  const drawing = canvas.getContext('2d', { colorSpace: 'srgb', alpha: false })
  if (drawing === null) throw new MediaError('video-failed')
  drawing.imageSmoothingQuality = 'high'
  return async (sample) => {
    using field = isInterlaced ? await fieldOf(sample) : null
    ;(field ?? sample).draw(drawing, 0, 0, width, height)
    return canvas
  }
}

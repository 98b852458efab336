import { spoken } from '#/renderer/lib/texts/lengths'

/** A time of a video with tenths, as `1:02.5`. */
function time(seconds: number): string {
  const tenths = Math.round(seconds * 10)
  const rest = String((tenths % 600) / 10).padStart(2, '0')
  return `${Math.floor(tenths / 600)}:${rest.includes('.') ? rest.padStart(4, '0') : `${rest}.0`}`
}

export const videoEditor = {
  title: 'What to keep of the video',
  handles: { from: 'Start', to: 'End', cover: 'Cover' },
  time,
  part: (from: number, to: number) => `${time(from)} – ${time(to)}`,
  length: (seconds: number) => (seconds < 60 ? `${seconds.toFixed(1)} seconds` : spoken(seconds)),
  mute: 'Without sound',
  usePart: 'Use this part',
} as const

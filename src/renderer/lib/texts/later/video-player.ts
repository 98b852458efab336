import { counted } from '#/renderer/lib/texts/counts'
import { isolate } from '#/shared/bidi'

function parts(seconds: number): { minutes: number; rest: number } {
  const whole = Math.max(0, Math.round(seconds))
  return { minutes: Math.floor(whole / 60), rest: whole % 60 }
}

/** A time of a video, as `1:05`. */
function clock(seconds: number): string {
  const { minutes, rest } = parts(seconds)
  return `${minutes}:${String(rest).padStart(2, '0')}`
}

/** A length in words. */
function spoken(seconds: number): string {
  const { minutes, rest } = parts(seconds)
  const second = counted(rest, 'second', 'seconds')
  return minutes === 0 ? second : `${counted(minutes, 'minute', 'minutes')} ${second}`
}

/** Texts of the player of videos in posts. Not in the first load. */
export const videoPlayer = {
  label: (alt: string, seconds: number) => `${isolate(alt)}, video, ${spoken(seconds)}`,
  clock,
  progress: (seconds: number, of: number) => `${clock(seconds)} / ${clock(of)}`,
  position: 'Position in the video',
  positionOf: (seconds: number, of: number) => `${spoken(seconds)} of ${spoken(of)}`,
  play: 'Play',
  playAgain: 'Play again',
  pause: 'Pause',
  soundOn: 'Turn sound on',
  soundOff: 'Turn sound off',
  captions: 'Captions',
  speed: 'Speed',
  times: (rate: number) => `${rate}×`,
  pictureInPicture: 'Play in a small window',
  inPicture: 'This video plays in a small window.',
  playHere: 'Play it here',
  fullScreen: 'Full screen',
  leaveFullScreen: 'Leave full screen',
  offline: 'You are offline. The video plays when the connection is back.',
  gone: 'This video is no longer here.',
} as const

import { clock, spoken } from '#/renderer/lib/texts/lengths'
import { isolate } from '#/shared/bidi'

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

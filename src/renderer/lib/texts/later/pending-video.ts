import { isolate } from '#/shared/bidi'

/** A length, as `1:05`. */
function clock(seconds: number): string {
  const whole = Math.max(1, Math.round(seconds))
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`
}

/** Texts of a video that is not on the server yet. Not in the first load. */
export const pendingVideo = {
  label: (alt: string, seconds: number) => `${isolate(alt)}, video, ${clock(seconds)}`,
  by: (username: string) => `Video by ${isolate(username)}`,
  clock,
}

import type { VideoRules } from '#/shared/limits'
import type { ClipEdit } from './prepare-video'

/** The shortest part that can be kept, in seconds; a shorter video is kept whole. */
const SHORTEST = 1

export type TrimHandle = 'from' | 'to' | 'cover'

/** What is kept at first: as much as the rules allow, with sound, and a cover that is not black. */
export function initialEdit(seconds: number, rules: VideoRules): ClipEdit {
  const to = Math.min(seconds, rules.seconds)
  return { from: 0, to, cover: Math.min(0.5, to / 2), isMuted: false }
}

/**
 * Moves a handle of the editor. The other end follows if the part would become too long, and stops the handle if it would become
 * too short; the cover stays within the part.
 *
 * @param move.at where the handle is moved, in seconds
 * @param seconds the length of the video
 */
export function moveHandle(
  edit: ClipEdit,
  { handle, at }: { handle: TrimHandle; at: number },
  seconds: number,
  rules: VideoRules,
): ClipEdit {
  const shortest = Math.min(SHORTEST, seconds)
  let { from, to } = edit
  if (handle === 'from') {
    from = clamp(at, 0, to - shortest)
    to = Math.min(to, from + rules.seconds)
  } else if (handle === 'to') {
    to = clamp(at, from + shortest, seconds)
    from = Math.max(from, to - rules.seconds)
  }
  const cover = clamp(handle === 'cover' ? at : edit.cover, from, to)
  return { ...edit, from, to, cover }
}

function clamp(value: number, min: number, max: number): number {
  return Math.max(min, Math.min(max, value))
}

/** The least progress and time from which the time left is known. */
const KNOWN_FROM = { fraction: 0.03, ms: 2_000 } as const

/** The seconds until work ends that has taken `ms` for this fraction of it; null if that is not known yet. */
export function secondsLeft(fraction: number, ms: number): number | null {
  if (fraction < KNOWN_FROM.fraction || ms < KNOWN_FROM.ms) return null
  return Math.max(1, Math.round((ms * (1 - fraction)) / fraction / 1_000))
}

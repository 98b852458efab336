/** How a video is seen. */
export interface Sight {
  /** From 0 to 1: the part in view of the video, or of the window if the video is taller. */
  share: number
  /** From the middle of the window to that of the video, in pixels. */
  distance: number
  /** Whether it may play without being started by the member. */
  playsByItself: boolean
}

/** Which video has the decoder of the page, and why. */
export interface Playing {
  current: string | null
  /** The member has started it. */
  isStarted: boolean
  /** The member has paused it. */
  isPaused: boolean
}

export const NOTHING: Playing = { current: null, isStarted: false, isPaused: false }

/** A video plays by itself from this part in view on. */
const PLAYED_SHARE = 0.6
/** A video that the member has started plays until less of it is in view. */
const STARTED_SHARE = 0.2

/** Whether the current video is still so much in view that it keeps the decoder. */
export function isKept({ current, isStarted }: Playing, sights: ReadonlyMap<string, Sight>): boolean {
  if (current === null) return false
  return (sights.get(current)?.share ?? 0) >= (isStarted ? STARTED_SHARE : PLAYED_SHARE)
}

/** The video that plays now: the current one while it is in view, or else the one nearest to the middle of the window. */
export function choosePlaying(now: Playing, sights: ReadonlyMap<string, Sight>): Playing {
  if (isKept(now, sights)) return now
  const [nearest] = [...sights]
    .filter(([, { share, playsByItself }]) => playsByItself && share >= PLAYED_SHARE)
    .sort(([, a], [, b]) => a.distance - b.distance)
  return nearest === undefined ? NOTHING : { ...NOTHING, current: nearest[0] }
}

/** The part of a rectangle that is in view, from 0 to 1; of the window if that is smaller. */
export function shareOf(
  shown: Pick<DOMRect, 'width' | 'height'>,
  whole: Pick<DOMRect, 'width' | 'height'>,
  view: Pick<DOMRect, 'width' | 'height'>,
): number {
  const area = Math.min(whole.width, view.width) * Math.min(whole.height, view.height)
  return area === 0 ? 0 : (shown.width * shown.height) / area
}

export type PlayerAction = 'toggle' | 'sound' | 'back' | 'ahead' | 'captions'

const KEYS: Readonly<Record<string, PlayerAction>> = {
  ' ': 'toggle',
  m: 'sound',
  c: 'captions',
  // Time runs from left to right in every language.
  ArrowLeft: 'back',
  ArrowRight: 'ahead',
}

interface PressedKey {
  key: string
  target: EventTarget | null
}

/** What a key does in a focused player; null if the focused control has its own use for it, or none. */
export function actionOf({ key, target }: PressedKey): PlayerAction | null {
  const action = KEYS[key] ?? null
  if (target instanceof HTMLSelectElement) return null
  if (target instanceof HTMLButtonElement && action === 'toggle') return null
  if (target instanceof HTMLInputElement && (action === 'back' || action === 'ahead')) return null
  return action
}

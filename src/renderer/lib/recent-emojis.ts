import { storageKeyPrefix } from './draft-store'
import { logFailure } from './logger'

/** Two rows of the picker. */
const KEPT = 16

const storageKey = (me: string) => `${storageKeyPrefix('emojis', me)}recent`

/** The emojis that the member used last on this device, latest first. */
export function recentEmojis(me: string): string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(storageKey(me)) ?? '[]')
    return Array.isArray(stored) ? stored.filter((each) => typeof each === 'string').slice(0, KEPT) : []
  } catch {
    return []
  }
}

export function rememberEmoji(me: string, character: string): void {
  const recent = [character, ...recentEmojis(me).filter((each) => each !== character)].slice(0, KEPT)
  try {
    localStorage.setItem(storageKey(me), JSON.stringify(recent))
  } catch (cause) {
    // The storage is full.
    logFailure('remember emoji', cause)
  }
}

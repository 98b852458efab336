import { readItem, storageKeyPrefix, storeItem } from '#/renderer/lib/local/local-storage'
import { SKIN_TONES, type SkinTone } from './emojis'

/** Two rows of the picker. */
const KEPT = 16

const storageKey = (me: string, name: 'recent' | 'tone') => `${storageKeyPrefix('emojis', me)}${name}`

function store(me: string, name: 'recent' | 'tone', value: string): void {
  storeItem(storageKey(me, name), value, 'remember emoji')
}

/** The emojis that the member used last on this device, latest first, without their skin tones. */
export function recentEmojis(me: string): string[] {
  try {
    const stored: unknown = JSON.parse(readItem(storageKey(me, 'recent')) ?? '[]')
    return Array.isArray(stored) ? stored.filter((each) => typeof each === 'string').slice(0, KEPT) : []
  } catch {
    return []
  }
}

export function rememberEmoji(me: string, character: string): void {
  const recent = [character, ...recentEmojis(me).filter((each) => each !== character)].slice(0, KEPT)
  store(me, 'recent', JSON.stringify(recent))
}

/** The skin tone that the member chose on this device. */
export function skinTone(me: string): SkinTone {
  const stored = readItem(storageKey(me, 'tone'))
  return SKIN_TONES.find((tone) => tone === stored) ?? 'none'
}

export function rememberSkinTone(me: string, tone: SkinTone): void {
  store(me, 'tone', tone)
}

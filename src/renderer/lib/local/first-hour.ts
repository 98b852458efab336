import { readItem, storageKeyPrefix, storeItem } from './local-storage'

/** What the first hour still shows: one of its steps, or that nobody else is here; `asking`: it is not known yet whether anybody is. */
const FIRST_HOUR_STAGES = ['picture', 'privacy', 'people', 'asking', 'alone'] as const
export type FirstHourStage = (typeof FIRST_HOUR_STAGES)[number]

const storageKey = (me: string) => `${storageKeyPrefix('first-hour', me)}stage`

/** What the first hour of this member still shows on this device; null if it is over, or the account was created elsewhere. */
export function firstHourStage(me: string): FirstHourStage | null {
  const stored = readItem(storageKey(me))
  return FIRST_HOUR_STAGES.find((stage) => stage === stored) ?? null
}

/** @param stage null ends it */
export function storeFirstHourStage(me: string, stage: FirstHourStage | null): void {
  storeItem(storageKey(me), stage)
}

/** Called on the device that has just created the account. */
export function beginFirstHour(me: string): void {
  storeFirstHourStage(me, 'picture')
}

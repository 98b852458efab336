import { storageKeyPrefix } from '#/renderer/lib/local/local-storage'

export const settingsKeys = {
  sessions: ['sessions'] as const,
  recentSignIn: ['recent sign-in'] as const,
  newSignIns: ['new sign-ins'] as const,
}

/** The storage keys of a member's settings that are not saved yet begin with this. */
export function settingPrefix(me: string): string {
  return storageKeyPrefix('setting', me)
}

export function settingKey(me: string, setting: string): string {
  return `${settingPrefix(me)}${setting}`
}

import type { Preferences, PreferencesPatch } from './preferences-schema'

export type { Preferences, PreferencesPatch }

/** Topics of system notifications that can be turned on and off. */
export const NOTIFICATION_TOPICS = ['messages', 'likes', 'comments', 'follows'] as const

export type NotificationTopic = (typeof NOTIFICATION_TOPICS)[number]

export type ThemePreference = Preferences['theme']
export type LightTablePreference = Preferences['lightTable']
export type VideoPreference = NonNullable<Preferences['playVideos']>

export const DEFAULT_PREFERENCES: Preferences = {
  theme: 'system',
  lightTable: 'black',
  notifications: { messages: true, likes: true, comments: true, follows: true },
  notificationsPausedUntil: null,
  notificationContent: 'text',
  textOnLockScreen: false,
  // Off by default: flashing and bouncing ignore Do Not Disturb, which Electron cannot read.
  drawAttention: false,
  startAtLogin: false,
  keepRunningInTray: false,
  hardwareAcceleration: 'on',
  keepCrashDumps: false,
  playStoriesOn: false,
  playVideos: null,
  // Off by default: Chromium downloads dictionaries.
  spellCheckLanguages: [],
}

/** When videos of posts play by themselves: what the member has chosen, or else what the system asks for. */
export function videoPreference({ playVideos }: Preferences, isMotionReduced: boolean): VideoPreference {
  return playVideos ?? (isMotionReduced ? 'click' : 'always')
}

/** Applies a patch. Missing and undefined values keep their current value. */
export function applyPreferencesPatch(current: Preferences, patch: PreferencesPatch): Preferences {
  const { notifications, ...rest } = patch
  return {
    ...withDefined(current, rest),
    notifications: withDefined(current.notifications, notifications ?? {}),
  }
}

function withDefined<T extends object>(current: T, patch: { [K in keyof T]?: T[K] | undefined }): T {
  return Object.assign(
    {},
    current,
    Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined)),
  )
}

// The mini build: the renderer loads this module at its start.
import * as z from 'zod/mini'

/** What a member may want to be told of by the system, each on or off. */
export const NOTIFICATION_TOPICS = ['messages', 'likes', 'comments', 'follows'] as const

export type NotificationTopic = (typeof NOTIFICATION_TOPICS)[number]

const topics = z.strictObject({
  messages: z.boolean(),
  likes: z.boolean(),
  comments: z.boolean(),
  follows: z.boolean(),
})

export const preferencesSchema = z.strictObject({
  theme: z.enum(['system', 'light', 'dark']),
  notifications: topics,
  /** Until when the system's notifications are silent, in milliseconds since 1970; null when they are not. */
  notificationsPausedUntil: z.nullable(z.number().check(z.nonnegative())),
  /** The Dock icon bounces, or the taskbar entry flashes, when a message is notified. */
  drawAttention: z.boolean(),
  /** In the desktop app the system's current setting, which its own settings can change too. */
  startAtLogin: z.boolean(),
  /** Closing the window leaves the app in the tray. On macOS closing never quits, whatever this says. */
  keepRunningInTray: z.boolean(),
  /** Codes of the languages whose spelling is checked; null for the system's language. */
  spellCheckLanguages: z.nullable(
    z.array(z.string().check(z.regex(/^[A-Za-z0-9-]{2,20}$/))).check(z.maxLength(100)),
  ),
})

/** What a member chose for this computer; kept by the host between runs. */
export type Preferences = z.infer<typeof preferencesSchema>
export type ThemePreference = Preferences['theme']

/** Some of the preferences, and some of the topics in them. */
export const preferencesPatchSchema = z.extend(z.partial(preferencesSchema), {
  notifications: z.optional(z.partial(topics)),
})

export type PreferencesPatch = z.infer<typeof preferencesPatchSchema>

export const DEFAULT_PREFERENCES: Preferences = {
  theme: 'system',
  notifications: { messages: true, likes: true, comments: true, follows: true },
  notificationsPausedUntil: null,
  // Flashing and bouncing ignore Do Not Disturb, which Electron cannot read: off until the member wants it.
  drawAttention: false,
  startAtLogin: false,
  keepRunningInTray: false,
  spellCheckLanguages: null,
}

/** The preferences with a patch applied; what the patch leaves out or names as undefined stays. */
export function changePreferences(before: Preferences, patch: PreferencesPatch): Preferences {
  const { notifications, ...rest } = patch
  return {
    ...withDefined(before, rest),
    notifications: withDefined(before.notifications, notifications ?? {}),
  }
}

function withDefined<T extends object>(before: T, patch: { [K in keyof T]?: T[K] | undefined }): T {
  return Object.assign(
    {},
    before,
    Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined)),
  )
}

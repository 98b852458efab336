import * as z from 'zod/mini'
import { NOTICE_CONTENTS } from './notice-contents'

const topics = z.strictObject({
  messages: z.boolean(),
  likes: z.boolean(),
  comments: z.boolean(),
  follows: z.boolean(),
})

export const preferencesSchema = z.strictObject({
  theme: z.enum(['system', 'light', 'dark']),
  /** The ground of the light table. */
  lightTable: z.enum(['black', 'grey']),
  notifications: topics,
  /** Notifications are paused until this time, in milliseconds since 1970; null if they are not paused. */
  notificationsPausedUntil: z.nullable(z.number().check(z.nonnegative())),
  /** What notifications show: the name and the text, only the name, or nothing but 'New message'. */
  notificationContent: z.enum(NOTICE_CONTENTS),
  /** Whether a locked screen shows the text, too. */
  textOnLockScreen: z.boolean(),
  /** Whether a message notification bounces the Dock icon or flashes the taskbar button. */
  drawAttention: z.boolean(),
  /** In the desktop app this mirrors the system's setting, which can change outside the app. */
  startAtLogin: z.boolean(),
  /** Whether closing the window keeps the app running in the tray. Ignored on macOS, which never quits on close. */
  keepRunningInTray: z.boolean(),
  /** Used from the next start on. `crashed`: the app turned it off, because the GPU process kept crashing. */
  hardwareAcceleration: z.enum(['on', 'off', 'crashed']),
  /** Whether crashed processes leave their memory in files on this computer; used from the next start on. */
  keepCrashDumps: z.boolean(),
  /** Whether the last story of a member is followed by those of the next one. */
  playStoriesOn: z.boolean(),
  /** When videos of posts play by themselves; `saveData`: not while the system asks to save data. Null follows reduced motion. */
  playVideos: z.nullable(z.enum(['always', 'saveData', 'click'])),
  /** Language codes for the spell checker; an empty list turns the checker off. Ignored on macOS. */
  spellCheckLanguages: z.array(z.string().check(z.regex(/^[A-Za-z0-9-]{2,20}$/))).check(z.maxLength(100)),
})

/** The member's settings for this computer, stored by the host. */
export type Preferences = z.infer<typeof preferencesSchema>

/** A partial update, also of single topics. */
export const preferencesPatchSchema = z.extend(z.partial(preferencesSchema), {
  notifications: z.optional(z.partial(topics)),
})

export type PreferencesPatch = z.infer<typeof preferencesPatchSchema>

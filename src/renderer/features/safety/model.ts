import type { MemberName } from '#/renderer/lib/disk-cache/forget-member'

export type SafetyMember = MemberName

/** Reasons of a report; the database accepts no others. */
export const REASONS = [
  'spam',
  'nudity',
  'hate',
  'violence',
  'harassment',
  'misinformation',
  'other',
] as const

export type Reason = (typeof REASONS)[number]

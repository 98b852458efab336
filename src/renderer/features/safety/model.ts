export interface SafetyMember {
  id: string
  username: string
}

/** Cursors: these name a row without showing it. */
const CURSORS: ReadonlySet<string> = new Set(['next', 'pageParams'])

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
}

/** Whether a row is this member or belongs to them: a column contains their id, or its author has their username. */
function isTheirs(value: unknown, { id, username }: SafetyMember): boolean {
  if (!isRecord(value)) return false
  return Object.values(value).some(
    (field) => field === id || (isRecord(field) && username !== '' && field.username === username),
  )
}

/** The data without the member's rows; null if it was only about them. */
export function withoutMember(data: unknown, member: SafetyMember): unknown {
  if (isTheirs(data, member)) return null
  if (Array.isArray(data)) {
    return data.filter((item) => !isTheirs(item, member)).map((item) => withoutMember(item, member))
  }
  if (!isRecord(data)) return data
  return Object.fromEntries(
    Object.entries(data).map(([key, value]) => [
      key,
      CURSORS.has(key) || value === null ? value : withoutMember(value, member),
    ]),
  )
}

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

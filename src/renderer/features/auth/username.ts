import { USERNAME_PATTERN } from '#/shared/limits'

/** Lowers a username while it is typed and drops what none can have; length and outer dots are checked on submit. */
export function typedUsername(value: string): string {
  return value.toLowerCase().replace(/[^a-z0-9._]/g, '')
}

/** Whether a text is a username as the database accepts it. */
export function isUsername(value: string): boolean {
  return USERNAME_PATTERN.test(value)
}

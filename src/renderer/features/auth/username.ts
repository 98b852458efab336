import { USERNAME_PATTERN } from '#/shared/limits'

/**
 * Lowercases a username while it is typed and drops invalid characters. Length and dots at the ends are checked on
 * submit.
 */
export function typedUsername(value: string): string {
  return value.toLowerCase().replace(/[^a-z0-9._]/g, '')
}

/** Whether the database accepts this username. */
export function isUsername(value: string): boolean {
  return USERNAME_PATTERN.test(value)
}

import type { PostgrestError } from '@supabase/supabase-js'
import { expect } from 'vitest'

interface Answer {
  data: unknown
  error: PostgrestError | null
}

/** Expects an error from a grant, from a policy (42501) or from our own functions (PT4xx). */
export function expectRefused({ error }: Answer): void {
  expect(error?.code).toMatch(/^(42501|PT4\d\d)$/)
}

/** Expects an error from a constraint, or one that `expectRefused` accepts. */
export function expectInvalid({ error }: Answer): void {
  expect(error?.code).toMatch(/^(23514|23503|23505|22023|42501|PT4\d\d)$/)
}

/** Returns the rows; fails on an error. */
export function rowsOf({ data, error }: Answer): Record<string, unknown>[] {
  expect(error).toBeNull()
  return data as Record<string, unknown>[]
}

export function expectDone({ error }: { error: unknown }): void {
  expect(error).toBeNull()
}

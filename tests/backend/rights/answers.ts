import type { PostgrestError } from '@supabase/supabase-js'
import { expect } from 'vitest'

interface Answer {
  data: unknown
  error: PostgrestError | null
}

/** Refused by a grant, by a policy (42501), or by a rule of ours (PT4xx). */
export function expectRefused({ error }: Answer): void {
  expect(error?.code).toMatch(/^(42501|PT4\d\d)$/)
}

/** Refused because no valid row is like this: a check, a foreign key, a unique index, or one of the above. */
export function expectInvalid({ error }: Answer): void {
  expect(error?.code).toMatch(/^(23514|23503|23505|22023|42501|PT4\d\d)$/)
}

/** The rows of an answer that must not be an error. */
export function rowsOf({ data, error }: Answer): Record<string, unknown>[] {
  expect(error).toBeNull()
  return data as Record<string, unknown>[]
}

export function expectDone({ error }: { error: unknown }): void {
  expect(error).toBeNull()
}

import { vi } from 'vitest'

/** Vitest's default of one second is too short on a busy machine. A longer timeout does not slow down passing tests. */
const WAIT_FOR_TIMEOUT_MS = 30_000

const { waitFor } = vi

vi.waitFor = (callback, options = {}) =>
  waitFor(callback, typeof options === 'number' ? options : { timeout: WAIT_FOR_TIMEOUT_MS, ...options })

import { vi } from 'vitest'

/** Vitest waits a second for what a test waits for: little on a busy machine, and more costs nothing where all goes well. */
const PATIENCE_MS = 30_000

const { waitFor } = vi

vi.waitFor = (callback, options = {}) =>
  waitFor(callback, typeof options === 'number' ? options : { timeout: PATIENCE_MS, ...options })

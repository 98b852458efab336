import { NEEDED_VERSION, SCHEMA_VERSION } from './schema-version'

/** Which of the two is too old for the other. */
export type Mismatch = 'app' | 'server'

/**
 * Whether a server, by its `setup_status`, and this app fit (docs/decisions/0105); null if they do.
 * @param serves the oldest app that the server serves; servers before 0.2 do not say it
 */
export function mismatchOf({
  version,
  serves,
}: {
  version: string
  serves?: string | undefined
}): Mismatch | null {
  if (serves !== undefined && SCHEMA_VERSION < serves) return 'app'
  return version < NEEDED_VERSION ? 'server' : null
}

/**
 * Why a bridge call failed. `refused`: the caller or the argument is not allowed; `invalid`: invalid arguments;
 * `too-often`: the rate limit of `bridgeCalls` was exceeded; `failed`: an unexpected error, described only in the log.
 */
export const BRIDGE_ERROR_CODES = [
  'refused',
  'invalid',
  'too-often',
  'failed',
  'file-too-large',
  'file-unreadable',
  'backend-failed',
  'fixed-server',
  'no-mail-file',
] as const

export type BridgeErrorCode = (typeof BRIDGE_ERROR_CODES)[number]

/**
 * The error code of `files.pick` and `files.readPicked` for a file larger than SOURCE_LIMITS, of which nothing was read. The text is the
 * file's name.
 */
export const FILE_TOO_LARGE = 'file-too-large' satisfies BridgeErrorCode

const known: ReadonlySet<unknown> = new Set(BRIDGE_ERROR_CODES)

function isCode(value: unknown): value is BridgeErrorCode {
  return known.has(value)
}

/**
 * An error of a bridge call. Electron's contextBridge passes on nothing but an error's message, so the code is its
 * prefix; read it with `bridgeErrorCode`.
 */
export class BridgeError extends Error {
  override readonly name = 'BridgeError'

  constructor(
    readonly code: BridgeErrorCode,
    /** The text to show to the member, without the code. */
    readonly text: string,
  ) {
    super(`${code}: ${text}`)
  }
}

/** The text of an error thrown by a bridge call. */
export function bridgeErrorText(error: unknown): string | null {
  const code = bridgeErrorCode(error)
  return error instanceof Error && code !== null ? error.message.slice(code.length + 2) : null
}

/** The code of an error thrown by a bridge call; null for any other error. */
export function bridgeErrorCode(error: unknown): BridgeErrorCode | null {
  if (!(error instanceof Error)) return null
  if ('code' in error && isCode(error.code)) return error.code
  const [code] = error.message.split(':', 1)
  return isCode(code) ? code : null
}

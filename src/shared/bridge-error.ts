/**
 * Why a call over the bridge failed. `refused`: the caller or what it asks for is not allowed; `invalid`: wrong
 * arguments; `too-often`: more often than `bridgeCalls` allows; `failed`: a defect of ours, described in the log only.
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

const known: ReadonlySet<unknown> = new Set(BRIDGE_ERROR_CODES)

function isCode(value: unknown): value is BridgeErrorCode {
  return known.has(value)
}

/**
 * An error of the bridge. Electron's contextBridge hands over nothing of an error but its message, so the code
 * travels in front of it; read it with `bridgeErrorCode`, on either side and in either host.
 */
export class BridgeError extends Error {
  override readonly name = 'BridgeError'

  constructor(
    readonly code: BridgeErrorCode,
    /** A plain sentence for the member, without the code. */
    readonly text: string,
  ) {
    super(`${code}: ${text}`)
  }
}

/** The code of what a call over the bridge threw; null when it is no error of the bridge. */
export function bridgeErrorCode(error: unknown): BridgeErrorCode | null {
  if (!(error instanceof Error)) return null
  if ('code' in error && isCode(error.code)) return error.code
  const [code] = error.message.split(':', 1)
  return isCode(code) ? code : null
}

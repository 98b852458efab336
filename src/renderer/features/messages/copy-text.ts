import { logFailure } from '#/renderer/lib/logger'

/** Puts what somebody wrote on the clipboard. A failure is only logged. */
export function copyText(text: string): void {
  navigator.clipboard.writeText(text).catch((cause: unknown) => logFailure('copy', cause))
}

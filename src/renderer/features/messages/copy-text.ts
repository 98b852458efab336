import { logFailure } from '#/renderer/lib/core/logger'

/** Copies a text to the clipboard. A failure is only logged. */
export function copyText(text: string): void {
  navigator.clipboard.writeText(text).catch((cause: unknown) => logFailure('copy', cause))
}

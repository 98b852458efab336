import type { BackendFailure } from '#/shared/backend-messages'

/** A start that failed for a reason the member is told; `message` is a plain sentence for them. */
export class BackendError extends Error {
  override readonly name = 'BackendError'
  readonly code: BackendFailure

  constructor(code: BackendFailure, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

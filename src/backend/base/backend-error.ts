import type { BackendFailure } from '#/shared/backend-messages'

/** The backend could not start. `message` is shown to the member. */
export class BackendError extends Error {
  override readonly name = 'BackendError'
  readonly code: BackendFailure

  constructor(code: BackendFailure, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

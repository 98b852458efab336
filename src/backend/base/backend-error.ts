import type { BackendFailure } from '#/shared/backend-messages'

/** The backend could not start. `message` is shown to the member. */
export class BackendError extends Error {
  override readonly name = 'BackendError'

  constructor(
    readonly code: BackendFailure,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options)
  }
}

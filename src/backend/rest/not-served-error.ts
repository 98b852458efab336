/** Header of lite's response to a request that is refused after it has been parsed: the reason. */
export const NOT_SERVED = 'not-served'

/** A request that is not served; becomes an error in PostgREST's format. */
export class NotServedError extends Error {
  /** @param message is also logged, so it may contain names of the schema but no values */
  constructor(
    message: string,
    readonly code = 'PGRST100',
    readonly status = 400,
  ) {
    super(message)
  }
}

/** Throws a `NotServedError`. */
export function refuse(...reason: ConstructorParameters<typeof NotServedError>): never {
  throw new NotServedError(...reason)
}

/** Throws a `NotServedError` if a condition is true. */
export function refuseIf(isRefused: boolean, ...reason: Parameters<typeof refuse>): void {
  if (isRefused) refuse(...reason)
}

import { describeError } from '#/backend/base/log'

/** The fields of a PostgreSQL error. */
export interface DatabaseErrorFields {
  code: string
  message: string
  detail: string | null
  hint: string | null
}

/** The last error of PostgreSQL. Lite's responses omit errors with codes that it does not know. */
export interface LastDatabaseError {
  /** Returns the error and clears it. */
  take(): DatabaseErrorFields | null
}

/** Null if the error has no code. */
export function databaseErrorFields(error: unknown): DatabaseErrorFields | null {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return null
  const text = (key: string) => {
    const value: unknown = Reflect.get(error, key)
    return typeof value === 'string' ? value : null
  }
  return { code: error.code, message: error.message, detail: text('detail'), hint: text('hint') }
}

/** Describes an error for the log. Of a database error only the code, because its message may quote members' texts. */
export function loggableError(error: unknown): string {
  return databaseErrorFields(error)?.code ?? describeError(error)
}

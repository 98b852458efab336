import { databaseErrorFields } from '#/backend/database/database-error'
import { describeError } from '#/backend/log'

/** An error for the log. Of the database's the code only: its words may quote what members wrote. */
export function errorName(error: unknown): string {
  return databaseErrorFields(error)?.code ?? describeError(error)
}

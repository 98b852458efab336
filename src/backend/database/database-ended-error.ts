/** A call took too long, PostgreSQL or its thread crashed, or the database was closed. */
export type DatabaseEnd = 'timeout' | 'failed' | 'closed'

/** query_canceled, crash_shutdown and admin_shutdown. */
const SQLSTATES: Record<DatabaseEnd, string> = { timeout: '57014', failed: '57P02', closed: '57P01' }

const MESSAGES: Record<DatabaseEnd, string> = {
  timeout: 'The request took too long and was stopped.',
  failed: 'The database failed and was restarted.',
  closed: 'The database is closed.',
}

/** The database ended during a call. The call's writes are rolled back. */
export class DatabaseEndedError extends Error {
  override readonly name = 'DatabaseEndedError'
  readonly end: DatabaseEnd
  readonly code: string

  constructor(end: DatabaseEnd) {
    super(MESSAGES[end])
    this.end = end
    this.code = SQLSTATES[end]
  }
}

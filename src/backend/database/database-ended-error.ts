/** Why the database ended, as query_canceled, crash_shutdown or admin_shutdown. */
const ENDS = {
  timeout: { code: '57014', message: 'The request took too long and was stopped.' },
  /** PostgreSQL or its thread crashed. */
  failed: { code: '57P02', message: 'The database failed and was restarted.' },
  closed: { code: '57P01', message: 'The database is closed.' },
} as const

export type DatabaseEnd = keyof typeof ENDS

/** The database ended during a call. The call's writes are rolled back. */
export class DatabaseEndedError extends Error {
  override readonly name = 'DatabaseEndedError'
  readonly end: DatabaseEnd
  readonly code: string

  constructor(end: DatabaseEnd) {
    super(ENDS[end].message)
    this.end = end
    this.code = ENDS[end].code
  }
}

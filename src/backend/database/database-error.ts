/** The fields of an error that PostgreSQL raised. */
export interface DatabaseErrorFields {
  code: string
  message: string
  detail: string | null
  hint: string | null
}

/** The last error PostgreSQL raised, which lite's responses leave out for codes it does not know. */
export interface LastDatabaseError {
  take(): DatabaseErrorFields | null
}

export function fieldsOf(error: unknown): DatabaseErrorFields | null {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return null
  const text = (key: string) => {
    const value: unknown = Reflect.get(error, key)
    return typeof value === 'string' ? value : null
  }
  return { code: error.code, message: error.message, detail: text('detail'), hint: text('hint') }
}

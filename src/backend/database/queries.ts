/** Runs statements as the database's superuser. PGlite and its transactions implement it too. */
export interface Queries {
  query<Row = Record<string, unknown>>(sql: string, parameters?: unknown[]): Promise<{ rows: Row[] }>
  exec(sql: string): Promise<unknown>
}

export interface Transaction extends Queries {
  /** Rolls the transaction back; no statement may follow in it. */
  rollback(): Promise<void>
}

/** A session of the database. */
export interface Session extends Queries {
  /** Commits when the work resolves, rolls back when it rejects. */
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>
  /** Listens to a NOTIFY channel, also after the database was reopened. Returns a function that stops it. */
  listen(channel: string, hear: (payload: string) => void): Promise<() => Promise<void>>
}

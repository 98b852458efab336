/** Runs statements as the superuser. PGlite and its transactions also implement this interface. */
export interface Queries {
  query<Row = Record<string, unknown>>(sql: string, parameters?: unknown[]): Promise<{ rows: Row[] }>
  exec(sql: string): Promise<unknown>
}

export interface Transaction extends Queries {
  /** Rolls back; no statement may follow. */
  rollback(): Promise<void>
}

export interface Session extends Queries {
  /** Commits when the work resolves, rolls back when it rejects. */
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>
}

/** Sets the only listener of a NOTIFY channel. */
export type Listen = (channel: string, listener: (payload: string) => void) => void

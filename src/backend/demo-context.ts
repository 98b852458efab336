/** What the demo community needs of a database session; PGlite and its transactions both have it. */
export interface DemoQueries {
  query<Row = Record<string, unknown>>(sql: string, parameters?: unknown[]): Promise<{ rows: Row[] }>
  exec(sql: string): Promise<unknown>
}

/** The embedded database as its superuser: row security does not apply, triggers and checks do. */
export interface DemoDatabase extends DemoQueries {
  transaction<T>(work: (tx: DemoQueries) => Promise<T>): Promise<T>
}

export interface NewDemoMember {
  /** A fixed id, where rows or pictures depend on it; else a random one. */
  id?: string
  username: string
  fullName: string
  /** An `example.com` address. */
  email: string
  /** Whether the sign-in screen offers 'Look around as …' this member; true when left out. */
  isOffered?: boolean
}

/** What `seedDemo` and `refreshDemoStories` are given. Nothing is served while they run. */
export interface DemoContext {
  pg: DemoDatabase
  /**
   * Makes the auth user through lite's own sign-up, with a random password that the data folder's secrets keep.
   * Gives the user's id; the profiles row is left to the caller. Members are offered in the order of these calls.
   */
  createMember(member: NewDemoMember): Promise<string>
  /** Folder of the demo's pictures (resources/demo). */
  assetsDir: string
  now: Date
  log(message: string): void
}

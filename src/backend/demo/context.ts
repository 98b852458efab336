import type { Queries } from '#/backend/database/queries'

/** The embedded database as its superuser: row security does not apply, triggers and checks do. */
export interface DemoDatabase extends Queries {
  transaction<T>(work: (tx: Queries) => Promise<T>): Promise<T>
}

export interface NewDemoMember {
  /** A fixed id if rows or pictures depend on it; random if left out. */
  id?: string
  username: string
  fullName: string
  /** An `example.com` address. */
  email: string
  /** Whether the sign-in screen offers 'Look around as …' for this member; true if left out. */
  isOffered?: boolean
}

/** The arguments of `seedDemo` and `refreshDemoStories`. Nothing is served while they run. */
export interface DemoContext {
  pg: DemoDatabase
  /**
   * Creates the auth user through lite's sign-up, with a random password that is kept in the data folder's secrets.
   * Returns the user's id; the caller inserts the profiles row. The sign-in screen lists members in the order of the calls.
   */
  createMember(member: NewDemoMember): Promise<string>
  /** Folder with the demo's pictures (resources/demo). */
  assetsDir: string
  /** The data folder's folder of objects; null if the server has no Storage. */
  objectsFolder: string | null
  now: Date
  log(message: string): void
}

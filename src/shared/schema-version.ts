/** The oldest migration of `supabase/migrations`. A project with older ones was set up before they were squashed. */
export const FIRST_SCHEMA_VERSION = '20261122000100'

/** The newest migration of `supabase/migrations` that this app needs. */
export const SCHEMA_VERSION = '20261127220200'

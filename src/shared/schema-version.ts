/** The newest migration of `supabase/migrations` that this app needs. */
export const SCHEMA_VERSION = '20261121002200'

/** Generated from supabase/migrations by `npm run types`. Do not edit. */

/** The oldest migration of `supabase/migrations`. A project with older ones was set up before they were squashed. */
export const FIRST_SCHEMA_VERSION = '20261122000100'

/** The newest migration of `supabase/migrations`. */
export const SCHEMA_VERSION = '20261130000000'

/** The newest migration that changed what an app can use (src/backend/rest/exposed-schema.json): with an older one this app fails. */
export const NEEDED_VERSION = '20261128051900'

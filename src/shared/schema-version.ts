/** Generated from supabase/migrations by `npm run types`. Do not edit. */

/** The oldest migration of `supabase/migrations`. Older ones are of 0.1 (docs/upgrading.md). */
export const FIRST_SCHEMA_VERSION = '20261201000100'

/** The newest migration of `supabase/migrations`. */
export const SCHEMA_VERSION = '20261206030000'

/** The last migration of 0.1, after which a database has the schema of the baseline. */
export const LAST_BEFORE_BASELINE = '20261130000000'

/** The newest migration that changed what an app can use (src/backend/rest/exposed-schema.json): with an older one this app fails. */
export const NEEDED_VERSION = '20261204020000'

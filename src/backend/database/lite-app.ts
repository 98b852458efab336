import { App, type Connection, type EmailDriver } from '@supabase/lite'
import { checkQuery, type Query } from '#/backend/rest/check-query'
import { NOT_SERVED, NotServedError } from '#/backend/rest/not-served-error'
import type { Secrets } from '#/backend/storage/secrets'
import { PASSWORD_MIN } from '#/shared/limits'
import { devDependencies } from '../../../package.json'
import { type ComputedHash, supplyHashes, withComputedHashes } from './password-hashes'
import { withQuietConsole } from './quiet-console'

/** The pinned version of @supabase/lite. */
export const LITE_VERSION = devDependencies['@supabase/lite']

/**
 * Sends a request to lite, without the checks of src/backend/http. With computed hashes, lite computes none: the call rejects with
 * a HashNeededError if it needs another one.
 */
export type LiteFetch = (request: Request, hashes?: readonly ComputedHash[]) => Promise<Response>

export interface LiteApp {
  fetch: LiteFetch
  /** Creates or completes the auth schema. */
  ensureSystemSchema(): Promise<void>
  /** Initializes lite, which would otherwise delay the first request. */
  init(): Promise<void>
}

export interface LiteAppOptions {
  secrets: Secrets
  email: EmailDriver
  /** Origin of links in mails. */
  siteUrl: string
  /** Checks parsed REST requests. Tests replace it to allow all requests, as a hosted project does. */
  check?: typeof checkQuery
}

/** Subject of lite's confirmation mail, which is not sent: the change takes effect at once (auth-handler.ts). */
const EMAIL_CHANGE_SUBJECT = 'Confirm email change'

/** Supabase's auth and REST interfaces, configured like a hosted project with supabase/config.toml. */
export function createLiteApp(connection: Connection, options: LiteAppOptions): LiteApp {
  skipLiteGrants(connection)
  hideServiceTables(connection)
  checkQueries(connection, options.check ?? checkQuery)
  const app = new App({
    connection,
    auth: {
      enabled: true,
      jwt_secret: options.secrets.jwtSecret,
      publishable_key: options.secrets.publishableKey,
      secret_key: options.secrets.secretKey,
      site_url: options.siteUrl,
      minimum_password_length: PASSWORD_MIN,
      email: { enable_confirmations: false, template: { email_change: { subject: EMAIL_CHANGE_SUBJECT } } },
    },
    // Updates and deletions need a filter, as on hosted projects.
    api: { pg_safe_update: true },
    options: {
      server: { disableStudio: true },
      drivers: {
        email: {
          send: async (mail) =>
            mail.subject === EMAIL_CHANGE_SUBJECT ? undefined : options.email.send(mail),
        },
      },
    },
  })
  supplyHashes()
  return {
    fetch: (request, hashes) => {
      const fetch = async () => app.fetch(request)
      return withQuietConsole(() => (hashes === undefined ? fetch() : withComputedHashes(hashes, fetch)))
    },
    ensureSystemSchema: () => app.ensureSystemSchema(),
    init: async () => {
      await app.init()
    },
  }
}

/**
 * At its first request, lite grants everything to every role, which would undo the column grants of the migrations. It
 * skips that if its private `rlsState` is 'active' (tests/backend/database/lite-app.test.ts).
 */
function skipLiteGrants(connection: Connection): void {
  if (!('rlsState' in connection)) throw new Error('@supabase/lite no longer has rlsState: check its grants')
  Object.assign(connection, { rlsState: 'active' })
}

/** Checks each REST request once lite has parsed it (docs/decisions/0089). */
function checkQueries(connection: Connection, check: (query: Query) => Query): void {
  const resolve = connection.onPostgrestAST.bind(connection)
  connection.onPostgrestAST = async (query, ...rest) => {
    try {
      return await resolve(check(query), ...rest)
    } catch (error) {
      throw error instanceof NotServedError ? raised(error) : error
    }
  }
}

/** The error of PostgreSQL from which lite makes this response, as PostgREST does from `raise sqlstate 'PGRST'`. */
function raised({ status, code, message }: NotServedError): Error {
  const detail = JSON.stringify({ status, headers: { [NOT_SERVED]: message } })
  return Object.assign(new Error(JSON.stringify({ code, message })), { code: 'PGRST', detail })
}

type Introspection = Awaited<ReturnType<Connection['introspect']>>

/** The schemas of services that lite does not serve here. */
const SERVICE_SCHEMAS: readonly (string | undefined)[] = ['realtime', 'storage']

/**
 * Hides the schemas of Realtime and Storage from lite. Lite looks up an embedded table's columns by its name in all schemas, so
 * `messages(*)` would also select the columns of realtime.messages.
 */
function hideServiceTables(connection: Connection): void {
  const introspect = connection.introspect.bind(connection)
  const filtered = new WeakMap<Introspection, Introspection>()
  connection.introspect = async (...options) => {
    const all = await introspect(...options)
    const visible = filtered.get(all) ?? withoutServiceTables(all)
    filtered.set(all, visible)
    return visible
  }
}

function withoutServiceTables(all: Introspection): Introspection {
  const isVisible = (part: { schema?: string }) => !SERVICE_SCHEMAS.includes(part.schema)
  return {
    ...all,
    tables: all.tables.filter(isVisible),
    columns: all.columns.filter(isVisible),
    foreign_keys: all.foreign_keys.filter(isVisible),
    primary_keys: all.primary_keys.filter(isVisible),
  }
}

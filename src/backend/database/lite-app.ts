import { App, type Connection, type EmailDriver } from '@supabase/lite'
import type { Secrets } from '#/backend/storage/secrets'
import { PASSWORD_MIN } from '#/shared/limits'
import { devDependencies } from '../../../package.json'
import { withDecoyHash } from './decoy-hash'
import { withQuietConsole } from './quiet-console'

/** The pinned version of @supabase/lite. */
export const LITE_VERSION = devDependencies['@supabase/lite']

/** Lite's answer to a request, without the wrapping of src/backend/http. */
export type LiteFetch = (request: Request) => Promise<Response>

export interface LiteApp {
  fetch: LiteFetch
  /** Makes or completes the auth schema. */
  ensureSystemSchema(): Promise<void>
  /** Gets ready for the first request, which would do it else. */
  init(): Promise<void>
}

export interface LiteAppOptions {
  secrets: Secrets
  email: EmailDriver
  /** Origin for the links in mails. */
  siteUrl: string
}

/** Subject of lite's mail to confirm a new address. It is not sent: the change takes effect at once (auth-answers.ts). */
const EMAIL_CHANGE_SUBJECT = 'Confirm email change'

/** Supabase's auth and REST interfaces on a database, as supabase/config.toml sets them up for a hosted project. */
export function createLiteApp(connection: Connection, options: LiteAppOptions): LiteApp {
  keepOwnGrants(connection)
  hideRealtimeTables(connection)
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
  const fetch = withDecoyHash(async (request) => app.fetch(request), connection)
  return {
    fetch: (request) => withQuietConsole(() => fetch(request)),
    ensureSystemSchema: () => app.ensureSystemSchema(),
    init: async () => {
      await app.init()
    },
  }
}

/**
 * Lite grants everything to every role at its first request unless its private `rlsState` says that this was done;
 * then the column grants of the migrations are gone (kept by tests/backend/server/lite-defects.test.ts).
 */
function keepOwnGrants(connection: Connection): void {
  if (!('rlsState' in connection)) throw new Error('@supabase/lite no longer has rlsState: check its grants')
  Object.assign(connection, { rlsState: 'active' })
}

type Introspection = Awaited<ReturnType<Connection['introspect']>>

/**
 * Lite finds an embedded table's columns by its name in whatever schema, so that `messages(*)` also asked for those of
 * realtime.messages. No request may speak of that schema, so it is left out of what lite knows.
 */
function hideRealtimeTables(connection: Connection): void {
  const introspect = connection.introspect.bind(connection)
  const shown = new WeakMap<Introspection, Introspection>()
  connection.introspect = async (...options) => {
    const whole = await introspect(...options)
    const known = shown.get(whole) ?? withoutSchema(whole, 'realtime')
    shown.set(whole, known)
    return known
  }
}

function withoutSchema(whole: Introspection, schema: string): Introspection {
  const isShown = (part: { schema?: string }) => part.schema !== schema
  return {
    ...whole,
    tables: whole.tables.filter(isShown),
    columns: whole.columns.filter(isShown),
    foreign_keys: whole.foreign_keys.filter(isShown),
    primary_keys: whole.primary_keys.filter(isShown),
  }
}

import type { ServerAddress } from '#/shared/server'

/** The server that tests run against instead of one that they start. Each part is null unless the environment names it. */
export interface GivenServer {
  /** Its API. */
  address: ServerAddress | null
  /** `postgresql://…` of its owner, in session mode, for everything that members may not do. */
  databaseUrl: string | null
  /** Origin of the Mailpit that receives its mails. */
  mailUrl: string | null
}

/** Reads VIGNETTE_TEST_URL, VIGNETTE_TEST_KEY, VIGNETTE_TEST_DATABASE_URL and VIGNETTE_TEST_MAIL_URL. */
export function givenServer(environment: NodeJS.ProcessEnv = process.env): GivenServer {
  const read = (name: string) => environment[`VIGNETTE_TEST_${name}`] || null
  const [url, publishableKey] = [read('URL'), read('KEY')]
  if ((url === null) !== (publishableKey === null)) {
    throw new Error('VIGNETTE_TEST_URL and VIGNETTE_TEST_KEY belong together: set both or neither.')
  }
  const address = url === null || publishableKey === null ? null : { url, publishableKey }
  return { address, databaseUrl: read('DATABASE_URL'), mailUrl: read('MAIL_URL') }
}

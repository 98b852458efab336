import { parseArgs } from 'node:util'
import { BackendError } from '#/backend/base/backend-error'
import { describeError } from '#/backend/base/log'
import { parseQuota, type Quota, QuotaError } from '#/backend/database/quotas'
import { spawnThread } from '#/backend/database/spawn-thread'
import type { BackendLogLevel } from '#/shared/backend-messages'
import { databaseThreadFile } from './paths'

const USAGE = `Usage:
  web      [--port 4173]  [--data ./data] [--empty]   the app in a browser, with its server
  backend  [--port 54321] [--data ./data] [--empty]   the server alone

  --restore   sets the current data aside and restores the newest snapshot
  --quota comments=30/1000
              limits what each member may create, per minute and per day; '-' removes a limit, 'all' changes every
              kind. Stored in the data folder; docs/decisions/0027-quotas.md lists the kinds. May be repeated`

const DEFAULT_PORTS = { web: 4173, backend: 54_321 } as const

const NO_HOST = `There is no option --host: the server listens on this machine only.
For other devices, set up a server on Supabase: docs/self-hosting.md`

/** The origin of the desktop app's pages. */
const DESKTOP_ORIGIN = 'app://bundle'

interface Arguments {
  command: keyof typeof DEFAULT_PORTS
  port: number
  dataDir: string
  demo: boolean
  restore: boolean
  quotas: Quota[]
}

class UsageError extends Error {}

function readArguments(argv: string[]): Arguments {
  const { values, positionals } = parse(argv)
  const [command, ...rest] = positionals
  if ((command !== 'web' && command !== 'backend') || rest.length > 0) throw new UsageError(USAGE)
  const port = values.port === undefined ? DEFAULT_PORTS[command] : Number(values.port)
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new UsageError(`--port must be a number from 0 to 65535.\n${USAGE}`)
  }
  return {
    command,
    port,
    dataDir: values.data,
    demo: !values.empty,
    restore: values.restore,
    quotas: values.quota.map(parseQuota),
  }
}

function parse(argv: string[]) {
  if (argv.some((argument) => /^--host(=|$)/.test(argument))) throw new UsageError(`${NO_HOST}\n\n${USAGE}`)
  try {
    return parseArgs({
      args: argv,
      allowPositionals: true,
      options: {
        port: { type: 'string' },
        data: { type: 'string', default: 'data' },
        empty: { type: 'boolean', default: false },
        restore: { type: 'boolean', default: false },
        quota: { type: 'string', multiple: true, default: [] },
      },
    })
  } catch (error) {
    throw new UsageError(`${describeError(error)}\n${USAGE}`)
  }
}

function log(level: BackendLogLevel, text: string): void {
  if (level === 'info') console.log(text)
  else console.error(text)
}

async function run({ command, ...given }: Arguments): Promise<void> {
  const options = {
    ...given,
    spawned: spawnThread(databaseThreadFile()),
    log,
    // A supervisor can restart the program.
    onFatalError: () => process.exit(1),
  }
  if (command === 'web') {
    const { serveWeb } = await import('./serve-web')
    const { serverFromEnvironment } = await import('#/backend/web/web-routes')
    const web = await serveWeb({ ...options, fixed: serverFromEnvironment(process.env) })
    stopOnSignal(web.stop)
    console.log(`ready ${web.url}`)
    return
  }
  const { startBackend } = await import('./start-backend')
  const backend = await startBackend({
    ...options,
    allowedOrigins: [DESKTOP_ORIGIN],
    allowsLoopbackOrigins: true,
  })
  stopOnSignal(backend.stop)
  console.log(`ready ${backend.url}`)
  console.log(`publishable key ${backend.publishableKey}`)
  console.log(`mails are written to ${backend.mailFile}`)
}

/** Windows sends SIGBREAK for Ctrl+Break and when the console is closed. */
function stopOnSignal(stop: () => Promise<void>): void {
  const stopAndExit = () => {
    stop().then(
      () => process.exit(0),
      (error) => {
        console.error(describeError(error))
        process.exit(1)
      },
    )
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGBREAK', 'SIGHUP'] as const) process.on(signal, stopAndExit)
}

// PGlite creates its files with the process's umask: other users of the machine must not read them.
process.umask(0o077)
const argv = process.argv.slice(2)
try {
  if (argv.includes('--help')) console.log(USAGE)
  else await run(readArguments(argv))
} catch (error) {
  const isUsage = error instanceof UsageError || error instanceof QuotaError
  const isExpected = error instanceof BackendError || isUsage
  console.error(isExpected ? error.message : error)
  process.exit(isUsage ? 2 : 1)
}

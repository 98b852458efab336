import { join } from 'node:path'
import { net, utilityProcess } from 'electron'
import type { openDocuments } from '#/main/files/documents'
import { builtPaths } from '#/main/installation/app-paths'
import type { Log } from '#/main/log'
import { schedule } from '#/main/timers'
import type { Page } from '#/main/window/page'
import { checkServer } from '#/shared/server-check'
import { forkBackend } from './backend-child'
import { type BackendProcess, createBackendProcess } from './backend-process'
import { hasSnapshot } from './backend-snapshots'
import { bakedServer } from './baked-server'
import { pickPort } from './free-port'
import type { PageOrigin } from './origin'
import { createServerChoice, fixedServer, type ServerChoice } from './server-choice'

export interface SetupServerParts {
  page: Page
  documents: Pick<ReturnType<typeof openDocuments>, 'server'>
  origin: Pick<PageOrigin, 'name'>
  userData: string
  log: Log
}

/** Connects the embedded backend and the choice of a server to Electron. Starts nothing yet. */
export function setupServer({ page, documents, origin, userData, log }: SetupServerParts): {
  backend: BackendProcess
  server: ServerChoice
} {
  const dataDir = join(userData, 'server')
  const backend = createBackendProcess({
    fork: () => forkBackend(utilityProcess, builtPaths.backend, log),
    start: { dataDir, allowedOrigins: [origin.name], demo: !process.argv.includes('--empty') },
    pickPort,
    lastPort: {
      read: () => documents.server.read().lastPort,
      write: (lastPort) => {
        try {
          documents.server.write({ ...documents.server.read(), lastPort })
        } catch (cause) {
          log.warn('could not save the port', cause)
        }
      },
    },
    hasSnapshot: () => hasSnapshot(dataDir),
    schedule,
    now: () => performance.now(),
    changed: (state) => page.send('backend.changed', state),
    moved: page.reload,
    log,
  })
  const server = createServerChoice({
    fixed: fixedServer(
      [{ url: process.env.SUPABASE_URL, publishableKey: process.env.SUPABASE_PUBLISHABLE_KEY }, bakedServer],
      log,
    ),
    file: documents.server,
    // Electron's fetch uses the system's proxies and certificates, like the page.
    check: (address) =>
      checkServer(address, (input, init) => net.fetch(input instanceof URL ? input.href : input, init)),
    embedded: backend,
    loadHome: page.loadHome,
    log,
  })
  return { backend, server }
}

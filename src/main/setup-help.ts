import { arch, homedir, release } from 'node:os'
import { join } from 'node:path'
import { app, clipboard, shell } from 'electron'
import type { BackendProcess } from './backend-process'
import { helpHandlers } from './help'
import type { HandlersOf } from './ipc'
import type { ServerChoice } from './server-choice'
import type { Updates } from './updates'

export interface SetupHelpParts {
  backend: Pick<BackendProcess, 'state'>
  server: Pick<ServerChoice, 'kind'>
  updates: Pick<Updates, 'state'>
  userData: string
}

/** Connects the help handlers to Electron and to the state that diagnostics report. */
export function setupHelp({ backend, server, updates, userData }: SetupHelpParts): HandlersOf<'help'> {
  const logFile = join(app.getPath('logs'), 'main.log')
  return helpHandlers({
    diagnostics: async () =>
      (await import('./diagnostics')).readDiagnostics({
        versions: {
          app: app.getVersion(),
          electron: process.versions.electron ?? '',
          chrome: process.versions.chrome ?? '',
          node: process.versions.node,
        },
        system: { platform: process.platform, release: release(), arch: arch(), language: app.getLocale() },
        serverKind: server.kind,
        backend: backend.state,
        updates: updates.state,
        logFile,
        home: homedir(),
      }),
    writeClipboard: (text) => clipboard.writeText(text),
    openPath: (path) => shell.openPath(path),
    logFile,
    dataFolder: userData,
  })
}

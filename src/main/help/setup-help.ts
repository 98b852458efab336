import { arch, homedir, release } from 'node:os'
import { join } from 'node:path'
import { app, clipboard, safeStorage, shell } from 'electron'
import { readPackageType } from '#/main/installation/package-type'
import type { HandlersOf } from '#/main/ipc'
import { hasSandbox } from '#/main/launch/sandbox'
import type { BackendProcess } from '#/main/server/backend-process'
import type { ServerChoice } from '#/main/server/server-choice'
import type { Updates } from '#/main/updates/updates'
import { helpHandlers } from './help'

export interface SetupHelpParts {
  backend: Pick<BackendProcess, 'state'>
  server: Pick<ServerChoice, 'kind'>
  updates: Pick<Updates, 'state'>
  isAppImage: boolean
  isAccelerated: boolean
  userData: string
}

function keyStore(): string {
  if (process.platform === 'linux') return safeStorage.getSelectedStorageBackend()
  return process.platform === 'darwin' ? 'Keychain' : 'DPAPI'
}

/** Connects the help handlers to Electron and to the state that diagnostics report. */
export function setupHelp({
  backend,
  server,
  updates,
  userData,
  ...parts
}: SetupHelpParts): HandlersOf<'help'> {
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
        environment: async () => ({
          package: await readPackageType({
            isPackaged: app.isPackaged,
            platform: process.platform,
            isAppImage: parts.isAppImage,
            resources: process.resourcesPath,
          }),
          desktop: process.env.XDG_CURRENT_DESKTOP ?? '',
          session: process.env.XDG_SESSION_TYPE ?? '',
          hasSandbox: hasSandbox(app),
          isAccelerated: parts.isAccelerated,
          graphics: { ...app.getGPUFeatureStatus() },
          keyStore: keyStore(),
        }),
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

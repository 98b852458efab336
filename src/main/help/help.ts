import type { HandlersOf } from '#/main/ipc'

export interface HelpParts {
  diagnostics(): Promise<string>
  writeClipboard(text: string): Promise<void>
  /** Electron's shell.openPath: resolves with an error message, or an empty string. */
  openPath(path: string): Promise<string>
  logFile: string
  dataFolder: string
}

/** Handlers for the help menu and the help section of the settings. */
export function helpHandlers(parts: HelpParts): HandlersOf<'help'> {
  const opened = async (path: string): Promise<undefined> => {
    const problem = await parts.openPath(path)
    if (problem !== '') throw new Error(problem)
  }
  return {
    'help.copyDiagnostics': async () => {
      await parts.writeClipboard(await parts.diagnostics())
    },
    'help.openLog': () => opened(parts.logFile),
    'help.showDataFolder': () => opened(parts.dataFolder),
  }
}

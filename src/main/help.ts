import type { HandlersOf } from './ipc'

export interface HelpParts {
  diagnostics(): Promise<string>
  writeClipboard(text: string): Promise<void>
  /** Opens a file or folder in the system's program for it; gives what went wrong, or an empty string. */
  openPath(path: string): Promise<string>
  logFile: string
  dataFolder: string
}

/** What one may be asked for when reporting a problem; in the help menu and in the settings. */
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

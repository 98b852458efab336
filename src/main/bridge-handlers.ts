import { BridgeError } from '#/shared/bridge-error'
import type { HandlersOf } from './ipc'
import type { Log } from './log'
import type { BackendProcess } from './server/backend-process'
import { texts } from './texts'
import type { OpenExternal } from './window/external-links'

export interface ShellParts {
  openExternal: OpenExternal
  /** The file that the current server writes mails to, if any. */
  mailFile(): Promise<string | null>
  /** Shows a file in the system's file manager. */
  showInFolder(path: string): void
}

export function shellHandlers({ openExternal, mailFile, showInFolder }: ShellParts): HandlersOf<'shell'> {
  return {
    'shell.openExternal': (url) => {
      if (!openExternal(url)) throw new BridgeError('refused', texts.bridge.refused)
    },
    'shell.showMailFile': async () => {
      const file = await mailFile()
      if (file === null) throw new BridgeError('no-mail-file', texts.mailFile.none)
      showInFolder(file)
    },
  }
}

export function backendHandlers(
  backend: Pick<BackendProcess, 'state' | 'retry' | 'restore'>,
): HandlersOf<'backend'> {
  return {
    'backend.state': () => backend.state(),
    'backend.retry': () => {
      backend.retry()
    },
    'backend.restore': () => {
      backend.restore()
    },
  }
}

/**
 * Logs lines of the page with a prefix. Line breaks are indented and control characters removed, so that the page
 * cannot forge log lines or control a terminal.
 */
export function logHandlers(log: Log): HandlersOf<'log'> {
  return {
    'log.write': (level, line) => {
      log[level](
        `page: ${line
          .replace(/[\r\n]+/g, '\n')
          .replace(/[^\P{Cc}\n]/gu, ' ')
          .replaceAll('\n', '\n  ')}`,
      )
    },
  }
}

import type { App, MessageBoxOptions } from 'electron'
import type { DocumentFile } from '#/main/files/document-file'
import type { Hints } from '#/main/files/documents'
import type { Log } from '#/main/log'
import { texts } from '#/main/texts'

/** Button indices of the question. */
const MOVE = 0
const NOT_NOW = 1

export interface ApplicationsFolderParts {
  platform: NodeJS.Platform
  app: Pick<App, 'isPackaged' | 'isInApplicationsFolder' | 'moveToApplicationsFolder'>
  hints: DocumentFile<Hints>
  /** Shows a dialog and resolves with the index of the chosen button. */
  ask(options: MessageBoxOptions): Promise<number>
  /** Tells the member that the app was not moved. */
  failed(): void
  log: Pick<Log, 'warn'>
}

/**
 * On macOS offers once to move an app that runs from its disk image or the downloads to the Applications folder: it cannot be
 * updated anywhere else (electron-builder#8914). Electron then quits and starts the moved app. Rejects if the system
 * shows no dialog.
 */
export async function offerApplicationsFolder(parts: ApplicationsFolderParts): Promise<void> {
  const { platform, app, hints, log } = parts
  if (platform !== 'darwin' || !app.isPackaged || hints.read().applications) return
  if (app.isInApplicationsFolder()) return
  const answer = await parts.ask({
    type: 'question',
    message: texts.applications.title,
    detail: texts.applications.body,
    buttons: [texts.applications.move, texts.applications.notNow],
    defaultId: MOVE,
    cancelId: NOT_NOW,
  })
  try {
    if (answer === MOVE) app.moveToApplicationsFolder()
    else hints.write({ ...hints.read(), applications: true })
  } catch (cause) {
    log.warn('the offer to move to the Applications folder failed', cause)
    if (answer === MOVE) parts.failed()
  }
}

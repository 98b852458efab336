import electronUpdater from 'electron-updater'
import type { Log } from './log'
import type { UpdateFeed } from './updates'

/** electron-updater on the feed that electron-builder configured. Loaded lazily: it is large and seldom needed. */
export function createUpdateFeed(log: Log): UpdateFeed {
  // A getter that makes the updater of this system: only after ready, only in a packaged app.
  const { autoUpdater } = electronUpdater
  autoUpdater.autoDownload = false
  autoUpdater.autoInstallOnAppQuit = true
  autoUpdater.logger = {
    info: (text?: unknown) => log.info(`updates: ${String(text)}`),
    warn: (text?: unknown) => log.warn(`updates: ${String(text)}`),
    error: (text?: unknown) => log.error(`updates: ${String(text)}`),
  }
  return {
    check: async () => {
      const result = await autoUpdater.checkForUpdates()
      return result?.isUpdateAvailable === true ? result.updateInfo.version : null
    },
    download: async (progress) => {
      const tell = ({ percent }: { percent: number }) => progress(percent)
      autoUpdater.on('download-progress', tell)
      try {
        await autoUpdater.downloadUpdate()
      } finally {
        autoUpdater.off('download-progress', tell)
      }
    },
    forbidInstallOnQuit: () => {
      // Read again when the app quits.
      autoUpdater.autoInstallOnAppQuit = false
    },
    install: () =>
      new Promise((_, reject) => {
        // A cancelled password prompt is told here only: `quitAndInstall` gives nothing and throws nothing.
        autoUpdater.once('error', reject)
        autoUpdater.quitAndInstall()
      }),
  }
}

import electronUpdater from 'electron-updater'
import type { Log } from '#/main/log'
import type { UpdateFeed } from './updates'

/**
 * Adapts electron-updater to the configured feed. Loaded lazily, because it is large and rarely needed.
 * @param installsOnQuit whether a downloaded update is installed when the app quits. Not for packages of the system,
 * which ask for a password (LinuxUpdater.js): those wait for 'Restart and install'.
 */
export function createUpdateFeed(log: Log, installsOnQuit: boolean): UpdateFeed {
  // The getter creates the platform's updater. It works only after `ready` and in a packaged app.
  const { autoUpdater } = electronUpdater
  autoUpdater.autoDownload = false
  autoUpdater.autoInstallOnAppQuit = installsOnQuit
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
      const onProgress = ({ percent }: { percent: number }) => progress(percent)
      autoUpdater.on('download-progress', onProgress)
      try {
        await autoUpdater.downloadUpdate()
      } finally {
        autoUpdater.off('download-progress', onProgress)
      }
    },
    disableInstallOnQuit: () => {
      // electron-updater reads this when the app quits.
      autoUpdater.autoInstallOnAppQuit = false
    },
    install: () =>
      new Promise((_, reject) => {
        // A cancelled password prompt is reported only here: `quitAndInstall` returns nothing and does not throw.
        autoUpdater.once('error', reject)
        autoUpdater.quitAndInstall()
      }),
  }
}

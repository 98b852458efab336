import { EventEmitter } from 'node:events'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { createUpdateFeed } from '#/main/updates/update-feed'
import { recordingLog } from '../support/recording-log'

/** The used part of electron-updater's AppUpdater. */
class Updater extends EventEmitter {
  autoDownload = true
  autoInstallOnAppQuit = false
  logger: Record<'info' | 'warn' | 'error', (text: string) => void> | null = null
  checkForUpdates = vi.fn()
  downloadUpdate = vi.fn()
  quitAndInstall = vi.fn()
}

const system = vi.hoisted((): { updater: unknown } => ({ updater: null }))
vi.mock('electron-updater', () => ({
  default: {
    get autoUpdater() {
      return system.updater
    },
  },
}))

describe('DESK-08 the update feed', () => {
  let updater: Updater
  beforeEach(() => {
    updater = new Updater()
    system.updater = updater
  })

  test('does not download automatically, and installs a downloaded update when the app quits', () => {
    createUpdateFeed(recordingLog(), true)
    expect(updater).toMatchObject({ autoDownload: false, autoInstallOnAppQuit: true })
  })

  test('DESK-19 asks for no password when the app quits: packages of the system wait for the member', () => {
    createUpdateFeed(recordingLog(), false)
    expect(updater).toMatchObject({ autoDownload: false, autoInstallOnAppQuit: false })
  })

  test('installs nothing during a system shutdown', () => {
    createUpdateFeed(recordingLog(), true).disableInstallOnQuit()
    expect(updater).toMatchObject({ autoInstallOnAppQuit: false })
  })

  test('returns only a newer version', async () => {
    const feed = createUpdateFeed(recordingLog(), true)
    updater.checkForUpdates.mockResolvedValueOnce({
      isUpdateAvailable: true,
      updateInfo: { version: '2.0.0' },
    })
    expect(await feed.check()).toBe('2.0.0')
    updater.checkForUpdates.mockResolvedValueOnce({
      isUpdateAvailable: false,
      updateInfo: { version: '1.0.0' },
    })
    expect(await feed.check()).toBeNull()
    // The result in an app that cannot update itself.
    updater.checkForUpdates.mockResolvedValueOnce(null)
    expect(await feed.check()).toBeNull()
  })

  test('reports the progress of a download until it ends', async () => {
    const feed = createUpdateFeed(recordingLog(), true)
    const heard: number[] = []
    updater.downloadUpdate.mockImplementationOnce(async () => {
      updater.emit('download-progress', { percent: 40 })
    })
    await feed.download((percent) => heard.push(percent))
    updater.emit('download-progress', { percent: 50 })
    expect(heard).toEqual([40])

    updater.downloadUpdate.mockRejectedValueOnce(new Error('disk full'))
    await expect(feed.download((percent) => heard.push(percent))).rejects.toThrow('disk full')
    updater.emit('download-progress', { percent: 60 })
    expect(heard).toEqual([40])
  })

  test('rejects when the installer fails to start', async () => {
    const feed = createUpdateFeed(recordingLog(), true)
    const installing = feed.install()
    expect(updater.quitAndInstall).toHaveBeenCalledOnce()
    updater.emit('error', new Error('cancelled'))
    await expect(installing).rejects.toThrow('cancelled')
  })

  test('forwards the log of the updater with its levels', () => {
    const log = recordingLog()
    createUpdateFeed(log, true)
    updater.logger?.info('looking')
    updater.logger?.warn('slow')
    updater.logger?.error('gone')
    expect(log.lines).toEqual(['info updates: looking', 'warn updates: slow', 'error updates: gone'])
  })
})

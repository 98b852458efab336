import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Browser } from '@playwright/test'
import { buildStandin } from '#tests/standin/build'
import { type LaunchedApp, launch } from '#tests/standin/launch'
import type { RunningApp, Runtime } from './desktop'

const main = resolve(import.meta.dirname, '../../../../out/main/index.cjs')

/** Runs the app on the stand-in and shows its windows in this browser. */
export async function standinRuntime(browser: Browser): Promise<Runtime> {
  const folder = await mkdtemp(join(tmpdir(), 'vignette-standin-'))
  const standin = await buildStandin(folder)
  return {
    openProfile: async (userData, watch) => {
      const context = await browser.newContext()
      watch(context)
      return {
        start: (args, { isBackendHeld }) => {
          const env = isBackendHeld ? { STANDIN_BACKEND: 'held' } : {}
          return handled(launch({ main, standin, userData, args, env, context }))
        },
        close: () => context.close(),
      }
    },
    close: async () => {
      await browser.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function handled(app: LaunchedApp): Promise<RunningApp> {
  const { driver } = app
  const record = async () => (await driver.inspect()).record
  const page = await Promise.race([
    app.firstPage(),
    app.ended.then((code) => Promise.reject(new Error(`the app ended with ${code}\n${app.output()}`))),
  ])
  return {
    page,
    window: async () => {
      const [window] = (await driver.inspect()).windows
      if (window === undefined) throw new Error('no window is open')
      return window
    },
    handleWindow: driver.handleWindow,
    moveWindow: driver.moveWindow,
    // Closing may quit the app, which then does not reply.
    closeWindow: () =>
      Promise.race([driver.closeWindow().catch(() => undefined), app.ended.then(() => undefined)]),
    notifications: async () => (await record()).notifications,
    notificationsOnScreen: async () => (await record()).notificationsOnScreen.length,
    clickNotification: driver.clickNotification,
    tray: async () => ({
      toolTip: (await record()).tray?.toolTip ?? '',
      labels: await driver.menuLabels('tray'),
    }),
    clickTray: (label) => driver.clickMenu('tray', label),
    clickMenu: (label) => driver.clickMenu('application', label),
    // Windows has no badge but an overlay with a description, such as '1 unread'.
    badge: async () => (await record()).badge.replace(/ .*/, '') || '0',
    progress: async () => {
      const { progress } = await record()
      if (progress === 'indeterminate') throw new Error('the app shows no such progress')
      return progress && { fraction: progress.fraction, isPaused: progress.mode === 'paused' }
    },
    openedExternally: async () => (await record()).openedExternally,
    shownInFolder: async () => (await record()).shownInFolder,
    openedPaths: async () => (await record()).openedPaths,
    chooseFile: driver.chooseFile,
    startAgain: driver.secondStart,
    crashPage: driver.crashPage,
    setIdle: (seconds) => driver.setIdle(seconds, false),
    resume: driver.resume,
    endSession: () =>
      Promise.race([driver.endSession().catch(() => undefined), app.ended]).then(() => undefined),
    releaseBackend: driver.releaseBackend,
    killBackend: driver.killBackend,
    quit: async () => {
      await driver.quit().catch(() => undefined)
      await app.ended
    },
    ended: app.ended,
    kill: app.kill,
  }
}

import { spawnSync } from 'node:child_process'
import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test as base, expect, type Page } from '@playwright/test'
import type { ServerInfo } from '#/shared/server'
import { desktopRuntime } from '../../../../scripts/lib/desktop.mjs'
import { Problems } from '../../support/problems'
import type { RunningApp, Runtime, StartOptions } from './desktop'
import { electronRuntime } from './on-electron'
import { standinRuntime } from './on-standin'

export interface Desktop {
  /** The app's data folder. Files that a test puts there simulate an earlier run. */
  readonly userData: string
  /**
   * Starts the app on its data folder, with an embedded server without members. Can be called again after it has
   * exited. Resolves once the page knows its server.
   */
  start(args?: readonly string[]): Promise<RunningApp>
  /** Quits and restarts the app, whose backend does not start before `RunningApp.releaseBackend`. */
  restartHeld(): Promise<RunningApp>
  /** Quits the app. */
  quit(): Promise<void>
  /** Errors of its pages; see `Problems`. */
  readonly problems: Problems
}

/** The platform that the app sees: the stand-in may imitate another one (`STANDIN_PLATFORM`). */
export const appPlatform =
  desktopRuntime() === 'standin' ? (process.env.STANDIN_PLATFORM ?? process.platform) : process.platform

/**
 * What becomes of a position that is asked for: on X11 the window manager adds its frame and keeps the rest; on Wayland apps
 * cannot position their windows, only resize them.
 */
export const windowPositions: 'exact' | 'framed' | 'none' =
  desktopRuntime() === 'standin' || process.platform !== 'linux' ? 'exact' : onLinux(process.env)

function onLinux({ DISPLAY, WAYLAND_DISPLAY }: NodeJS.ProcessEnv): 'framed' | 'none' {
  if (WAYLAND_DISPLAY || !DISPLAY) return 'none'
  const { stdout } = spawnSync('xprop', ['-root', '_NET_SUPPORTING_WM_CHECK'], { encoding: 'utf8' })
  return stdout?.includes('window id') ? 'framed' : 'none'
}

export const test = base.extend<{ desktop: Desktop }, { runtime: Runtime }>({
  runtime: [
    async ({ playwright, launchOptions }, use) => {
      const runtime =
        desktopRuntime() === 'electron'
          ? electronRuntime(playwright._electron)
          : await standinRuntime(await playwright.chromium.launch(launchOptions))
      await use(runtime)
      await runtime.close()
    },
    { scope: 'worker' },
  ],

  desktop: async ({ runtime }, use) => {
    // As Electron reports it: macOS's folder is behind a link, and Windows' may have a short name.
    const userData = await realpath(await mkdtemp(join(tmpdir(), 'vignette-desktop-')))
    const problems = new Problems()
    const profile = await runtime.openProfile(userData, (context) => problems.watch(context))
    const runs: RunningApp[] = []
    const launch = async (args: readonly string[], options: StartOptions): Promise<RunningApp> => {
      problems.resume()
      const running = await profile.start(['--empty', ...args], options)
      runs.push(running)
      return running
    }
    const start: Desktop['start'] = async (args = []) => {
      const running = await launch(args, { isBackendHeld: false })
      await serverOf(running.page)
      return running
    }
    /** Ignore the page's errors once its server shuts down. */
    const quit = async () => {
      problems.stop()
      await runs.at(-1)?.quit()
    }
    await use({
      userData,
      problems,
      start,
      quit,
      restartHeld: async () => {
        await quit()
        return launch([], { isBackendHeld: true })
      },
    })
    // Kill it: quitting would first write a snapshot.
    problems.stop()
    await profile.close()
    await runs.at(-1)?.kill()
    // Windows may keep files of killed processes locked for a while.
    await rm(userData, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 })
    expect(problems.verdict(), 'errors of the page').toEqual([])
  },
})

/** The server of the page, once it is known. */
export async function serverOf(page: Page): Promise<ServerInfo> {
  await page.waitForFunction(() => window.desktop !== undefined)
  const info = await page.evaluate(() => window.desktop?.server.current())
  if (info === undefined) throw new Error('the page has no bridge')
  return info
}

export type { RunningApp }
export { expect }

import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll } from 'vitest'
import { buildShell, buildStandin } from '#tests/standin/build'
import { type LaunchedApp, type LaunchOptions, launch } from '#tests/standin/launch'

const fakeBackend = join(import.meta.dirname, '../../standin/fake-backend.mjs')

/** The built main bundle with the Electron stand-in, a fake backend and a minimal page. */
export interface BuiltApp {
  /** Temporary folder; the bundle is in its `out`. */
  folder(): string
  main(): string
  newUserData(): string
  /** Starts the app, which is stopped after the test. */
  start(options?: Partial<LaunchOptions>): LaunchedApp
}

/** Builds the app once per test file. */
export function prepareBuiltApp(): BuiltApp {
  let folder = ''
  let standin = ''
  let runs = 0
  const launched: LaunchedApp[] = []

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'vignette-shell-'))
    const out = join(folder, 'out')
    await buildShell(out, ['main'])
    standin = await buildStandin(join(folder, 'standin'))
    await mkdir(join(out, 'backend'))
    await copyFile(fakeBackend, join(out, 'backend', 'utility.mjs'))
    await mkdir(join(out, 'renderer', 'assets'), { recursive: true })
    await writeFile(join(out, 'renderer', 'index.html'), '<!doctype html><title>Vignette</title>')
    await writeFile(join(out, 'renderer', 'assets', 'app.js'), 'export {}')
  })

  afterEach(async () => {
    await Promise.all(launched.splice(0).map((app) => app.kill()))
  })

  afterAll(() => rm(folder, { recursive: true, force: true }))

  const main = () => join(folder, 'out', 'main', 'index.cjs')
  const newUserData = () => {
    runs += 1
    return join(folder, `user-data-${runs}`)
  }
  return {
    folder: () => folder,
    main,
    newUserData,
    start: (options = {}) => {
      const app = launch({ main: main(), standin, userData: newUserData(), ...options })
      launched.push(app)
      return app
    },
  }
}

/** Polls until the check passes: the app is another process. */
export async function eventually<T>(ask: () => Promise<T>, isRight: (value: T) => boolean): Promise<T> {
  for (;;) {
    const value = await ask()
    if (isRight(value)) return value
    // Pause, because polling without a delay would starve the app.
    await pause(40)
  }
}

/** Waits until the window is visible. */
export function shown(app: LaunchedApp) {
  return eventually(app.driver.inspect, ({ windows }) => windows[0]?.isVisible === true)
}

import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll } from 'vitest'
import { buildShell, buildStandin } from '#tests/standin/build'
import { type LaunchedApp, type LaunchOptions, launch } from '#tests/standin/launch'

const fakeBackend = join(import.meta.dirname, '../../standin/fake-backend.mjs')

/** The main bundle as it is built, with the stand-in, a backend and a page that are as good as nothing. */
export interface BuiltApp {
  /** Scratch folder; the bundle is in `out` there. */
  folder(): string
  main(): string
  newUserData(): string
  /** Starts the app; it is ended after the test. */
  start(options?: Partial<LaunchOptions>): LaunchedApp
}

/** Builds the app once for the tests of a file. */
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
  }, 60_000)

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

/** Asks until the answer is right: the app is another process, and when it gets there is its own affair. */
export async function eventually<T>(ask: () => Promise<T>, isRight: (value: T) => boolean): Promise<T> {
  for (;;) {
    const value = await ask()
    if (isRight(value)) return value
    // Asking without a break would take the processor from the app.
    await pause(10)
  }
}

/** The app once its window shows. */
export function shown(app: LaunchedApp) {
  return eventually(app.driver.inspect, ({ windows }) => windows[0]?.isVisible === true)
}

import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join, resolve } from 'node:path'
import type { BrowserContext, Page } from '@playwright/test'
import { signalTree } from '../../scripts/lib/process.mjs'
import type { PageQuestions } from './electron/display'
import type { Driver } from './electron/driver'
import { createWindows } from './windows'
import { AppEnded, type Asked, askedThrough, createWire, type Served } from './wire'

/** The driver of the running app; every call returns a promise. */
export type DrivenApp = Asked<Driver>

export interface LaunchedApp {
  driver: DrivenApp
  /** The page of the first window, when it exists. */
  firstPage(): Promise<Page>
  /** Exit code, when the app has exited. */
  ended: Promise<number | null>
  /** The app's output so far. */
  output(): string
  /** Kills the app if it is running. */
  kill(): Promise<void>
}

export interface LaunchOptions {
  /** The built main bundle. */
  main: string
  /** The built stand-in. */
  standin: string
  userData: string
  args?: readonly string[]
  env?: NodeJS.ProcessEnv
  /** The browser context that shows the windows and acts as the app's profile; without one windows are not shown. */
  context?: BrowserContext
}

/** Runs the built app in plain Node with the stand-in in place of Electron. */
export function launch({
  main,
  standin,
  userData,
  args = [],
  env = {},
  context,
}: LaunchOptions): LaunchedApp {
  const {
    ELECTRON_RENDERER_URL: _dev,
    SUPABASE_URL: _url,
    SUPABASE_PUBLISHABLE_KEY: _key,
    APPIMAGE: _appImage,
    ...inherited
  } = process.env
  // What the app writes for the desktop stays out of the tester's own folders.
  const home = { XDG_CONFIG_HOME: join(userData, 'xdg-config'), XDG_DATA_HOME: join(userData, 'xdg-data') }
  const shown = context === undefined ? {} : { STANDIN_WINDOWS: 'shown' }
  const child = fork(resolve(main), [...args], {
    execArgv: ['--require', join(import.meta.dirname, 'register.cjs')],
    env: { ...inherited, STANDIN_MODULE: standin, STANDIN_USER_DATA: userData, ...home, ...shown, ...env },
    serialization: 'advanced',
    // Its own process group, so that `kill` also kills its backend, as in real Electron.
    detached: process.platform !== 'win32',
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      printed += text
    })
  }
  const output = () => printed

  const served: Served = {}
  const wire = createWire((message) => {
    if (child.connected) child.send(message, () => undefined)
  }, served)
  const windows = context === undefined ? null : createWindows(context, askedThrough<PageQuestions>(wire))
  Object.assign(served, windows?.display)
  child.on('message', wire.take)
  const ended = once(child, 'exit').then(async ([code]) => {
    wire.cut(new AppEnded(`the app has ended\n${printed}`))
    await windows?.closeAll()
    return code as number | null
  })

  return {
    driver: askedThrough<Driver>(wire),
    firstPage: () => {
      if (windows === null) throw new Error('this app was launched without a context to show windows in')
      return windows.firstPage()
    },
    ended,
    output,
    kill: async () => {
      signalTree(child, 'SIGKILL')
      await ended
    },
  }
}

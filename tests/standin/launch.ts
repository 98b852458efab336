import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join, resolve } from 'node:path'
import type { Driver, DriverReply, DriverRequest } from './electron/driver'

/** The running app, as `Driver` says; every answer is a promise here. */
export type DrivenApp = {
  [Name in keyof Driver]: (...args: Parameters<Driver[Name]>) => Promise<Awaited<ReturnType<Driver[Name]>>>
}

export interface LaunchedApp {
  driver: DrivenApp
  /** Exit code, once the app has ended. */
  ended: Promise<number | null>
  /** Everything the app printed so far. */
  output(): string
  /** Ends it at once, if it still runs. */
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
}

const DRIVER_NAMES = {
  invoke: true,
  fetch: true,
  permission: true,
  inspect: true,
  navigate: true,
  open: true,
  chooseFile: true,
  secondStart: true,
  openFromSystem: true,
  menuLabels: true,
  clickMenu: true,
  clickNotification: true,
  resume: true,
  crashPage: true,
  closeWindow: true,
  defect: true,
  quit: true,
} satisfies Record<keyof Driver, true>

function drive(child: ChildProcess, output: () => string): DrivenApp {
  let last = 0
  const open = new Map<number, { resolve(value: unknown): void; reject(cause: Error): void }>()
  child.on('message', (reply: DriverReply) => {
    const request = open.get(reply.id)
    open.delete(reply.id)
    if (reply.ok) request?.resolve(reply.value)
    else request?.reject(new Error(reply.message))
  })
  child.on('exit', () => {
    for (const { reject } of open.values()) reject(new Error(`the app has ended\n${output()}`))
  })
  const ask =
    (name: keyof Driver) =>
    (...args: unknown[]) =>
      new Promise<unknown>((resolve, reject) => {
        const request: DriverRequest = { id: ++last, name, args }
        open.set(request.id, { resolve, reject })
        child.send(request, (cause) => {
          if (cause) reject(cause)
        })
      })
  return Object.fromEntries(
    Object.keys(DRIVER_NAMES).map((name) => [name, ask(name as keyof Driver)]),
  ) as unknown as DrivenApp
}

/** Runs the built app in plain Node, with the stand-in where Electron would be. */
export function launch({ main, standin, userData, args = [], env = {} }: LaunchOptions): LaunchedApp {
  const {
    ELECTRON_RENDERER_URL: _dev,
    SUPABASE_URL: _url,
    SUPABASE_PUBLISHABLE_KEY: _key,
    ...inherited
  } = process.env
  const child = fork(resolve(main), [...args], {
    execArgv: ['--require', join(import.meta.dirname, 'register.cjs')],
    env: { ...inherited, STANDIN_MODULE: standin, STANDIN_USER_DATA: userData, ...env },
    serialization: 'advanced',
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      printed += text
    })
  }
  const output = () => printed
  const ended = once(child, 'exit').then(([code]) => code as number | null)
  return {
    driver: drive(child, output),
    ended,
    output,
    kill: async () => {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
      await ended
    },
  }
}

import { type ChildProcess, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir } from 'node:fs/promises'
import { resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import { BackendError } from '#/backend/base/backend-error'
import { type FolderLock, lockFolder } from '#/backend/storage/folder-lock'
import type { BackendCommand, BackendReport } from '#/shared/backend-messages'
import { build } from '../../../scripts/lib/build.mjs'

const ROOT = resolve(import.meta.dirname, '../../..')

/** Builds out/ if it is stale. Test files run in parallel, so one builds and the others wait. */
export async function buildBackend(): Promise<void> {
  const lock = await turnToBuild()
  try {
    if (!(await build({ quiet: true }))) throw new Error('out could not be built')
  } finally {
    await lock.release()
  }
}

async function turnToBuild(): Promise<FolderLock> {
  const cache = resolve(ROOT, 'node_modules/.cache/vignette')
  await mkdir(cache, { recursive: true })
  for (;;) {
    try {
      return await lockFolder(resolve(cache, 'build.lock'))
    } catch (error) {
      if (!(error instanceof BackendError) || error.code !== 'locked') throw error
      await pause(200)
    }
  }
}

export interface CommandLine {
  child: ChildProcess
  /** Its stdout and stderr so far. */
  output(): string
  /** Waits for the first match in its output; rejects if it exits without one. */
  waitForOutput(pattern: RegExp): Promise<RegExpExecArray>
  /** Its exit code. */
  ended: Promise<number | null>
}

/** Optimizing WebAssembly takes a third of the CPU time of a short-lived process. */
const SHORT_LIVED = ['--liftoff-only']

/** Kills a process after the test, even if the test fails. */
function killAfterTest(child: ChildProcess): void {
  onTestFinished(() => void child.kill('SIGKILL'))
}

/** Runs the built command line. */
export function runCli(...args: string[]): CommandLine {
  const child = spawn(process.execPath, [...SHORT_LIVED, resolve(ROOT, 'out/backend/cli.mjs'), ...args], {
    env: { ...process.env, SUPABASE_URL: '', SUPABASE_PUBLISHABLE_KEY: '' },
  })
  killAfterTest(child)
  let text = ''
  const listeners = new Set<() => void>()
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk
      for (const listener of listeners) listener()
    })
  }
  const ended = once(child, 'close').then(([code]) => code as number | null)
  return {
    child,
    output: () => text,
    ended,
    waitForOutput: (pattern) =>
      new Promise((found, missed) => {
        const look = () => {
          const match = pattern.exec(text)
          if (match === null) return
          listeners.delete(look)
          found(match)
        }
        listeners.add(look)
        look()
        ended.then((code) => missed(new Error(`It ended with ${code} and said: ${text}`)))
      }),
  }
}

/** Starts a backend in a child process without quotas; on a free port if `port` is 0. */
export async function runBackend(dataDir: string, port = 0) {
  const quota = ['--quota', 'all=-/-']
  const process = runCli('backend', '--port', String(port), '--data', dataDir, '--empty', ...quota)
  const [, url = ''] = await process.waitForOutput(/^ready (\S+)$/m)
  const [, publishableKey = ''] = await process.waitForOutput(/^publishable key (\S+)$/m)
  return { process, url, publishableKey }
}

/** Runs the built utility process over Node's IPC channel instead of Electron's parent port. */
export function runUtility() {
  const child = fork(resolve(ROOT, 'out/backend/utility.mjs'), { execArgv: SHORT_LIVED, stdio: 'ignore' })
  killAfterTest(child)
  const reports: BackendReport[] = []
  child.on('message', (message) => reports.push(message as BackendReport))
  return {
    child,
    reports,
    send: (command: BackendCommand) => child.send(command),
    ended: once(child, 'exit').then(([code]) => code as number | null),
    /** The first report of one of these types that was not a log line. */
    next: async (): Promise<BackendReport> => {
      for (;;) {
        const index = reports.findIndex((report) => report.type !== 'log')
        const [report] = index === -1 ? [] : reports.splice(index, 1)
        if (report !== undefined) return report
        await once(child, 'message')
      }
    },
  }
}

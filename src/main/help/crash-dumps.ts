import { chmodSync, mkdirSync } from 'node:fs'
import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { App, CrashReporter } from 'electron'
import type { Log } from '#/main/log'
import type { Schedule } from '#/main/timers'

/** Limits on the dumps that are kept: they contain messages and sessions. */
const MAX_DUMPS = 5
const MAX_AGE_MS = 7 * 24 * 60 * 60 * 1_000
/** How often a running app deletes old dumps, in milliseconds. */
const PRUNE_MS = 60 * 60 * 1_000
/** Time in which Crashpad writes a dump after a process has ended, in milliseconds. */
const WRITE_MS = 10_000

export interface CrashDumps {
  /** Whether this run keeps dumps. */
  readonly isKeeping: boolean
  /** Deletes all dumps: the member signed out, or turned them off. */
  deleteAll(): Promise<void>
}

export interface CrashDumpsParts {
  app: Pick<App, 'getPath' | 'on'>
  crashReporter: Pick<CrashReporter, 'start'>
  /** The member's choice, which may change during the run. */
  isWanted(): boolean
  schedule: Schedule
  /** Milliseconds since 1970. */
  now(): number
  log: Pick<Log, 'info' | 'warn'>
}

interface Dump {
  path: string
  writtenAt: number
}

/**
 * Crashpad's minidumps and the notes beside them (`.meta` on Linux and macOS). Its other files stay: its process uses
 * them. On Windows its list of dumps stays too, and ignores missing ones.
 */
async function findDumps(folder: string): Promise<Dump[]> {
  const names = await readdir(folder, { recursive: true }).catch(() => [])
  const paths = names.filter((name) => /\.(?:dmp|meta)$/.test(name)).map((name) => join(folder, name))
  const found = await Promise.all(
    paths.map((path) =>
      stat(path).then(
        ({ mtimeMs }) => ({ path, writtenAt: mtimeMs }),
        // Crashpad moves a finished dump.
        () => null,
      ),
    ),
  )
  return found.filter((dump) => dump !== null)
}

/**
 * Keeps the memory of crashed processes in files on this computer, if the member turned that on in diagnostics. They are
 * never sent. Call it before the app is ready: the reporter watches only processes that start later. The choice counts
 * from the next start on, but turning it off deletes all dumps at once.
 */
export function setupCrashDumps(parts: CrashDumpsParts): CrashDumps {
  const { app, crashReporter, isWanted, schedule, now, log } = parts
  const folder = app.getPath('crashDumps')
  const isKeeping = isWanted()

  async function remove(dumps: readonly Dump[]): Promise<void> {
    await Promise.all(
      dumps.map(({ path }) =>
        rm(path, { force: true }).catch((cause: unknown) => log.warn('could not delete a crash dump', cause)),
      ),
    )
  }

  async function prune(): Promise<void> {
    const found = await findDumps(folder)
    if (!isWanted()) return remove(found)
    const dumps = found
      .filter(({ path }) => path.endsWith('.dmp'))
      .sort((one, other) => other.writtenAt - one.writtenAt)
    const kept = new Set(
      dumps
        .slice(0, MAX_DUMPS)
        .filter(({ writtenAt }) => now() - writtenAt < MAX_AGE_MS)
        .map(({ path }) => baseOf(path)),
    )
    await remove(found.filter(({ path }) => !kept.has(baseOf(path))))
  }

  function pruneRegularly(): void {
    void prune()
    schedule(PRUNE_MS, pruneRegularly)
  }

  if (isKeeping) {
    try {
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      // The mode of an earlier folder.
      chmodSync(folder, 0o700)
      crashReporter.start({ uploadToServer: false })
      log.info('crash dumps are kept')
    } catch (cause) {
      log.warn('could not keep crash dumps', cause)
    }
  }
  pruneRegularly()
  const pruneAfterCrash = () => void schedule(WRITE_MS, () => void prune())
  app.on('render-process-gone', pruneAfterCrash)
  app.on('child-process-gone', pruneAfterCrash)
  return { isKeeping, deleteAll: async () => remove(await findDumps(folder)) }
}

/** The path without its ending: a dump and its notes share it. */
function baseOf(path: string): string {
  return path.replace(/\.\w+$/, '')
}

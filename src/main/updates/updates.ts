import { join } from 'node:path'
import { exists } from '#/main/files/exists'
import type { HandlersOf } from '#/main/ipc'
import type { Log } from '#/main/log'
import type { Schedule } from '#/main/timers'
import type { UpdateState } from '#/shared/bridge'

/** Delay of the first check after the start, and the interval of later ones. */
const FIRST_CHECK_MS = 60_000
const CHECK_INTERVAL_MS = 6 * 60 * 60_000

/**
 * The app normally quits within this time, unless the installer was refused or hangs. macOS may have to copy it first.
 */
const INSTALL_TIMEOUT_MS = 60_000

/** The used part of electron-updater; see update-feed.ts. */
export interface UpdateFeed {
  /** Resolves with the newer version, or null. */
  check(): Promise<string | null>
  download(progress: (percent: number) => void): Promise<void>
  /** Quits the app, which must be ready to quit, and starts the new version. Rejects if that fails. */
  install(): Promise<never>
  /** Keeps a downloaded update from being installed on quit. */
  disableInstallOnQuit(): void
}

export interface UpdateParts {
  load(): Promise<UpdateFeed>
  /** Shuts down everything that must finish before quitting. */
  prepareToQuit(): Promise<unknown>
  /** Reverts `prepareToQuit` if the app did not quit. */
  cancelQuit(): void
  changed(state: UpdateState): void
  schedule: Schedule
  log: Pick<Log, 'warn' | 'info'>
}

/** Whether electron-builder added a feed configuration to the app. */
export async function hasUpdateFeed(isPackaged: boolean, resources: string): Promise<boolean> {
  return isPackaged && exists(join(resources, 'app-update.yml'))
}

export interface Updates {
  /** Starts checking for updates. Call if there is a feed. */
  start(): void
  state(): UpdateState
  /** Prevents installing updates in this run, because the system is shutting down. */
  preventInstall(): void
  handlers: HandlersOf<'updates'>
}

/** Checks for updates automatically, but downloads and installs them only on request. */
export function createUpdates(parts: UpdateParts): Updates {
  const { schedule, log } = parts
  let state: UpdateState = { state: 'off' }
  let feed: Promise<UpdateFeed> | null = null

  const setState = (next: UpdateState) => {
    state = next
    parts.changed(next)
  }
  const loadFeed = () => {
    feed ??= parts.load()
    return feed
  }
  const fail = (what: string) => (cause: unknown) => {
    log.warn(`${what} failed`, cause)
    setState({ state: 'failed' })
  }

  async function check(): Promise<void> {
    // Do not check while an update is being downloaded or is ready.
    if (!['idle', 'available', 'failed'].includes(state.state)) return
    setState({ state: 'checking' })
    const version = await (await loadFeed()).check()
    setState(version === null ? { state: 'idle' } : { state: 'available', version })
  }

  async function download(version: string): Promise<void> {
    setState({ state: 'downloading', percent: 0 })
    const progress = (percent: number) => setState({ state: 'downloading', percent: Math.round(percent) })
    await (await loadFeed()).download(progress)
    setState({ state: 'ready', version })
    log.info(`update ${version} is ready`)
  }

  let isInstalling = false
  let isPrevented = false

  /** Succeeds only by quitting the app: the system may ask for a password, and the member may cancel. */
  async function install(): Promise<void> {
    if (state.state !== 'ready' || isInstalling || isPrevented) return
    isInstalling = true
    try {
      await parts.prepareToQuit()
      const ready = await loadFeed()
      const limit = new Promise<never>((_, reject) => {
        schedule(INSTALL_TIMEOUT_MS, () => reject(new Error('the app did not quit')))
      })
      await Promise.race([ready.install(), limit])
    } catch (cause) {
      parts.cancelQuit()
      fail('installing the update')(cause)
    } finally {
      isInstalling = false
    }
  }

  function scheduleCheck(milliseconds: number): void {
    schedule(milliseconds, () => {
      check().catch(fail('checking for updates'))
      scheduleCheck(CHECK_INTERVAL_MS)
    })
  }

  return {
    start: () => {
      setState({ state: 'idle' })
      scheduleCheck(FIRST_CHECK_MS)
    },
    state: () => state,
    preventInstall: () => {
      isPrevented = true
      // A feed that was never loaded has downloaded nothing.
      feed?.then((loadedFeed) => loadedFeed.disableInstallOnQuit()).catch(() => undefined)
    },
    handlers: {
      'updates.state': () => state,
      'updates.check': async () => {
        await check().catch(fail('checking for updates'))
      },
      'updates.download': async () => {
        if (state.state === 'available') await download(state.version).catch(fail('downloading the update'))
      },
      'updates.install': async () => {
        await install()
      },
    },
  }
}

import { access } from 'node:fs/promises'
import { join } from 'node:path'
import type { UpdateState } from '#/shared/bridge'
import type { HandlersOf } from './ipc'
import type { Log } from './log'
import type { Schedule } from './timers'

/** The first look after the start, when the window has long been there, and then again and again. */
const FIRST_CHECK_MS = 60_000
const CHECK_EVERY_MS = 6 * 60 * 60_000

/** The app has long quit by then, unless the installer was refused or does nothing; macOS may first have to copy it. */
const INSTALL_LIMIT_MS = 60_000

/** electron-updater, as far as it is used; see update-feed.ts. */
export interface UpdateFeed {
  /** Gives the newer version, or null. */
  check(): Promise<string | null>
  download(progress: (percent: number) => void): Promise<void>
  /** Quits the app, which must be ready to go at once, and starts the new one; rejects when that failed. */
  install(): Promise<never>
  /** Quitting the app no longer installs what was downloaded. */
  forbidInstallOnQuit(): void
}

export interface UpdateParts {
  /** Loads the feed, when it is first needed. */
  load(): Promise<UpdateFeed>
  /** Shuts down what must not be cut off. */
  prepareToQuit(): Promise<unknown>
  /** Takes up again what was shut down: the app did not quit. */
  stay(): void
  changed(state: UpdateState): void
  schedule: Schedule
  log: Pick<Log, 'warn' | 'info'>
}

/** electron-builder puts it beside the app when a feed is configured. */
export async function hasUpdateFeed(isPackaged: boolean, resources: string): Promise<boolean> {
  if (!isPackaged) return false
  return access(join(resources, 'app-update.yml')).then(
    () => true,
    () => false,
  )
}

export interface Updates {
  /** There is a feed: looks for updates from now on. */
  begin(): void
  state(): UpdateState
  /** From now on nothing is installed in this run: the system shuts down. */
  forbidInstalling(): void
  handlers: HandlersOf<'updates'>
}

/** Keeps the app up to date: looks by itself, downloads and installs only when the member says so. */
export function createUpdates(parts: UpdateParts): Updates {
  const { schedule, log } = parts
  let state: UpdateState = { state: 'off' }
  let feed: Promise<UpdateFeed> | null = null

  const become = (next: UpdateState) => {
    state = next
    parts.changed(next)
  }
  const loaded = () => {
    feed ??= parts.load()
    return feed
  }
  const fail = (what: string) => (cause: unknown) => {
    log.warn(`${what} failed`, cause)
    become({ state: 'failed' })
  }

  async function check(): Promise<void> {
    // While one is downloaded or waits, there is nothing to look for.
    if (!['idle', 'available', 'failed'].includes(state.state)) return
    become({ state: 'checking' })
    const version = await (await loaded()).check()
    become(version === null ? { state: 'idle' } : { state: 'available', version })
  }

  async function download(version: string): Promise<void> {
    become({ state: 'downloading', percent: 0 })
    const progress = (percent: number) => become({ state: 'downloading', percent: Math.round(percent) })
    await (await loaded()).download(progress)
    become({ state: 'ready', version })
    log.info(`update ${version} is ready`)
  }

  let isInstalling = false
  let isForbidden = false

  /** Only the app's end ends it well: the system may ask for a password first, and be told no. */
  async function install(): Promise<void> {
    if (state.state !== 'ready' || isInstalling || isForbidden) return
    isInstalling = true
    try {
      await parts.prepareToQuit()
      const ready = await loaded()
      const limit = new Promise<never>((_, reject) => {
        schedule(INSTALL_LIMIT_MS, () => reject(new Error('the app did not quit')))
      })
      await Promise.race([ready.install(), limit])
    } catch (cause) {
      parts.stay()
      fail('installing an update')(cause)
    } finally {
      isInstalling = false
    }
  }

  function checkLater(milliseconds: number): void {
    schedule(milliseconds, () => {
      check().catch(fail('looking for updates'))
      checkLater(CHECK_EVERY_MS)
    })
  }

  return {
    begin: () => {
      become({ state: 'idle' })
      checkLater(FIRST_CHECK_MS)
    },
    state: () => state,
    forbidInstalling: () => {
      isForbidden = true
      // One that was never loaded has downloaded nothing.
      feed?.then((loadedFeed) => loadedFeed.forbidInstallOnQuit()).catch(() => undefined)
    },
    handlers: {
      'updates.state': () => state,
      'updates.check': async () => {
        await check().catch(fail('looking for updates'))
      },
      'updates.download': async () => {
        if (state.state === 'available') await download(state.version).catch(fail('downloading an update'))
      },
      'updates.install': async () => {
        await install()
      },
    },
  }
}

import type { Log } from '#/main/log'
import { schedule } from '#/main/timers'
import type { Page } from '#/main/window/page'
import type { QuitGuard } from '#/main/window/quit-guard'
import { createUpdates, type Updates } from './updates'

export interface SetupUpdatesParts {
  page: Page
  installsOnQuit: boolean
  guard: Pick<QuitGuard, 'release' | 'cancelQuit'>
  log: Log
}

/** Connects the auto-update to the page and to quitting. electron-updater is loaded on first use. */
export function setupUpdates({ page, installsOnQuit, guard, log }: SetupUpdatesParts): Updates {
  return createUpdates({
    load: async () => (await import('./update-feed')).createUpdateFeed(log, installsOnQuit),
    prepareToQuit: guard.release,
    cancelQuit: guard.cancelQuit,
    changed: (state) => page.send('updates.changed', state),
    schedule,
    log,
  })
}

import type { PickedFile } from '#/shared/bridge'
import type { HandlersOf } from './ipc'

export interface OpenedPhotoParts {
  /** Reads the file with the checks of a file chosen in a dialog. */
  read(path: string): Promise<PickedFile>
  /** Opens the screen for a new post. */
  openComposer(): void
  /** Notifies a page that already shows that screen. */
  changed(): void
}

export interface OpenedPhoto {
  /** Starts a post with this photo. */
  open(path: string): void
  handlers: Pick<HandlersOf<'files'>, 'files.takeOpened'>
}

/** Photos kept for a page that takes none: those of one post. */
const MAX_PENDING = 10

/** Holds photos that were dropped on the app's icon or named on the command line until the page takes them, one by one. */
export function createOpenedPhoto({ read, openComposer, changed }: OpenedPhotoParts): OpenedPhoto {
  const pending: string[] = []
  return {
    open: (path) => {
      pending.push(path)
      if (pending.length > MAX_PENDING) pending.shift()
      openComposer()
      changed()
    },
    handlers: {
      'files.takeOpened': async () => {
        const path = pending.shift()
        return path === undefined ? null : read(path)
      },
    },
  }
}

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
  /** Starts a post with this photo. A later one replaces an earlier one. */
  open(path: string): void
  handlers: Pick<HandlersOf<'files'>, 'files.takeOpened'>
}

/** Holds the photo that was dropped on the app's icon or named on the command line until the page takes it. */
export function createOpenedPhoto({ read, openComposer, changed }: OpenedPhotoParts): OpenedPhoto {
  let pending: string | null = null
  return {
    open: (path) => {
      pending = path
      openComposer()
      changed()
    },
    handlers: {
      'files.takeOpened': async () => {
        const path = pending
        pending = null
        return path === null ? null : read(path)
      },
    },
  }
}

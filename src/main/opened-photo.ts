import type { PickedFile } from '#/shared/bridge'
import type { HandlersOf } from './ipc'

export interface OpenedPhotoParts {
  /** Reads the file once the page asks for it, as one that was chosen in a dialog. */
  read(path: string): Promise<PickedFile>
  /** Leads to the screen for a new post. */
  openComposer(): void
  /** Tells a page that is on that screen already. */
  changed(): void
}

export interface OpenedPhoto {
  /** Starts a post with this photo; a later one takes its place. */
  open(path: string): void
  handlers: Pick<HandlersOf<'files'>, 'files.takeOpened'>
}

/** The photo that was dropped on the app's icon or named on its command line, until the page takes it. */
export function createOpenedPhoto({ read, openComposer, changed }: OpenedPhotoParts): OpenedPhoto {
  let waiting: string | null = null
  return {
    open: (path) => {
      waiting = path
      openComposer()
      changed()
    },
    handlers: {
      'files.takeOpened': async () => {
        const path = waiting
        waiting = null
        return path === null ? null : read(path)
      },
    },
  }
}

export interface OpenedFilesParts<Opened> {
  /** Reads or describes a file, with its checks. */
  read(path: string): Promise<Opened>
  /** Opens the form that takes the file. */
  openForm(): void
  /** Notifies a page that already shows that form. */
  changed(): void
}

export interface OpenedFiles<Opened> {
  /** Starts a post or a story with this file. */
  open(path: string): void
  /** The next file, once; null if there is none. */
  take(): Promise<Opened | null>
  /** The member has signed out: what they opened is not for who signs in next. */
  clear(): void
}

/** Files kept for a page that takes none: those of one post. */
const MAX_PENDING = 10

/**
 * Holds files that were dropped on the app's icon, opened with the app in a file manager or named on the command line until the page takes
 * them, one by one. What was opened before anybody signed in is for the first who does.
 */
export function createOpenedFiles<Opened>({
  read,
  openForm,
  changed,
}: OpenedFilesParts<Opened>): OpenedFiles<Opened> {
  const pending: string[] = []
  return {
    open: (path) => {
      pending.push(path)
      if (pending.length > MAX_PENDING) pending.shift()
      openForm()
      changed()
    },
    take: async () => {
      const path = pending.shift()
      return path === undefined ? null : read(path)
    },
    clear: () => {
      pending.length = 0
    },
  }
}

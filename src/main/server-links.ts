import type { ServerAddress } from '#/shared/server'
import type { HandlersOf } from './ipc'

export interface ServerLinks {
  /** Shows the window and keeps the link's server for the page. A later link replaces an earlier one. */
  open(address: ServerAddress): void
  handlers: HandlersOf<'serverLinks'>
}

/** Holds the server of the most recent link to one until the page takes it. It connects to nothing. */
export function createServerLinks({ show, changed }: { show(): void; changed(): void }): ServerLinks {
  let pending: ServerAddress | null = null
  return {
    open: (address) => {
      pending = address
      show()
      changed()
    },
    handlers: {
      'serverLinks.take': () => {
        const address = pending
        pending = null
        return address
      },
    },
  }
}

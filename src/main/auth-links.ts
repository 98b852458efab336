import type { HandlersOf } from './ipc'

export interface AuthLinks {
  /** Shows the window and keeps the link's fragment for the page. A later link replaces an earlier one. */
  open(fragment: string): void
  handlers: HandlersOf<'authLinks'>
}

/** Holds the most recent link from a Supabase Auth email until the page takes it. */
export function createAuthLinks({ show, changed }: { show(): void; changed(): void }): AuthLinks {
  let pending: string | null = null
  return {
    open: (fragment) => {
      pending = fragment
      show()
      changed()
    },
    handlers: {
      'authLinks.take': () => {
        const fragment = pending
        pending = null
        return fragment
      },
    },
  }
}

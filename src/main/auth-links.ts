import type { HandlersOf } from './ipc'

export interface AuthLinks {
  /** Brings the window up and keeps the link's fragment for the page; a later link takes its place. */
  open(fragment: string): void
  handlers: HandlersOf<'authLinks'>
}

/** The link from a mail of Supabase Auth that the system opened, until the page takes it. */
export function createAuthLinks({ show, changed }: { show(): void; changed(): void }): AuthLinks {
  let waiting: string | null = null
  return {
    open: (fragment) => {
      waiting = fragment
      show()
      changed()
    },
    handlers: {
      'authLinks.take': () => {
        const fragment = waiting
        waiting = null
        return fragment
      },
    },
  }
}

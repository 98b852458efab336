export interface HeldLink<Link> {
  /** Shows the window and keeps the link for the page. A later link replaces an earlier one. */
  open(link: Link): void
  /** The link, once; null if there is none. */
  take(): Link | null
}

/** Holds the most recent link of one kind until the page takes it. */
export function createHeldLink<Link>({ show, changed }: { show(): void; changed(): void }): HeldLink<Link> {
  let pending: Link | null = null
  return {
    open: (link) => {
      pending = link
      show()
      changed()
    },
    take: () => {
      const link = pending
      pending = null
      return link
    },
  }
}

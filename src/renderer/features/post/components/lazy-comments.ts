import { lazySection } from '#/renderer/components/lazy-contained'

/** Loaded with the outbox: comments are also written offline. */
export const Comments = lazySection(() => import('./Comments'), 'Comments')

/** Comments that are not on the server yet, below a card whose comments are closed. */
export const PendingComments = lazySection(() => import('./PendingComments'), 'PendingComments')

export const loadComments = (): Promise<unknown> => Promise.all([Comments.load(), PendingComments.load()])

/** For buttons that show the comments: loads their code when the member points at one or focuses it. */
export const preloadsComments = {
  onPointerEnter: preloadComments,
  onFocus: preloadComments,
}

function preloadComments(): void {
  // Comments try again, and report the failure.
  loadComments().catch(() => undefined)
}

import { lazyComponent } from '#/renderer/lib/lazy-component'

/** Loaded with the outbox: comments are also written offline. */
export const Comments = lazyComponent(() => import('./Comments'), 'Comments')

export const loadComments = (): Promise<unknown> => Comments.load()

/** For buttons that show the comments: loads their code when the member points at one or focuses it. */
export const preloadsComments = {
  onPointerEnter: preloadComments,
  onFocus: preloadComments,
}

function preloadComments(): void {
  // Comments try again, and report the failure.
  loadComments().catch(() => undefined)
}

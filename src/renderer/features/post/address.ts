import { type ModalParam, modalState, readModalParam, withModalParam } from '#/renderer/lib/modal-route'

export { isUuid as isPostId } from '#/renderer/lib/uuid'

/** Number of a post's neighbours kept in its history entry, in each direction: a whole feed would be too large. */
const REACH = 100

/** The id of the post that is open over the page, or null. It may be any text: check it with `isPostId`. */
export function openPostId(search: string): string | null {
  return readModalParam(search, 'post')
}

/** The id of the comment that a link names, or null. It may be any text: check it with `isPostId`. */
export function linkedCommentId(search: string): string | null {
  return new URLSearchParams(search).get('comment')
}

/** A query string with this post open, at this comment if there is one; other parameters stay. */
export function withPost(search: string, id: string, commentId: string | null = null): string {
  const opened = withModalParam(search, 'post', id)
  return commentId === null ? opened : `${opened}&comment=${commentId}`
}

/** The state of a history entry that opens a post over the previous page. */
export interface PostListState {
  /** Ids of the list from which it was opened, in order. */
  posts: string[]
  over: ModalParam
}

/** The history state for a post of a list: its id and the ids around it. */
export function listAround(ids: readonly string[], id: string): PostListState {
  const at = Math.max(0, ids.indexOf(id))
  return modalState('post', { posts: ids.slice(Math.max(0, at - REACH), at + REACH + 1) })
}

/** The list from which a post was opened, from a history entry's state; null if the entry opened the page itself. */
export function listOf(state: unknown): readonly string[] | null {
  if (typeof state !== 'object' || state === null || !('posts' in state)) return null
  const { posts } = state
  return Array.isArray(posts) && posts.every((id) => typeof id === 'string') ? posts : null
}

/** The posts before and after a post in its list; null at an end. */
export function neighbours(
  list: readonly string[],
  id: string,
): { previous: string | null; next: string | null } {
  const at = list.indexOf(id)
  if (at === -1) return { previous: null, next: null }
  return { previous: list[at - 1] ?? null, next: list[at + 1] ?? null }
}

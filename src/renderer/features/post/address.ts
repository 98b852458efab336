import { type ModalParam, modalState, readModalParam, withModalParam } from '#/renderer/lib/modal-route'

export { isUuid as isPostId } from '#/renderer/lib/uuid'

/** A post's neighbours that go along with it, in each direction: a history entry is no place for a whole feed. */
const REACH = 100

/** The id of the post that is open over the page; null when there is none. It may be no id at all: see `isPostId`. */
export function openPostId(search: string): string | null {
  return readModalParam(search, 'post')
}

/** The part of an address behind its path with this post open; what else stands there stays. */
export function withPost(search: string, id: string): string {
  return withModalParam(search, 'post', id)
}

/** What goes along with a history entry that opens a post over the page before it. */
export interface PostListState {
  /** Ids of the list it was opened from, in its order. */
  posts: string[]
  over: ModalParam
}

/** The history state for a post of a list: the ids around it, its own among them. */
export function listAround(ids: readonly string[], id: string): PostListState {
  const at = Math.max(0, ids.indexOf(id))
  return modalState('post', { posts: ids.slice(Math.max(0, at - REACH), at + REACH + 1) })
}

/** The list a post was opened from, out of a history entry's state; null when the entry opened the page itself. */
export function listOf(state: unknown): readonly string[] | null {
  if (typeof state !== 'object' || state === null || !('posts' in state)) return null
  const { posts } = state
  return Array.isArray(posts) && posts.every((id) => typeof id === 'string') ? posts : null
}

/** The posts before and after one in its list, null where it ends. */
export function neighbours(
  list: readonly string[],
  id: string,
): { previous: string | null; next: string | null } {
  const at = list.indexOf(id)
  if (at === -1) return { previous: null, next: null }
  return { previous: list[at - 1] ?? null, next: list[at + 1] ?? null }
}

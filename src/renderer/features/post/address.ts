import {
  type ModalParam,
  modalState,
  readModalParam,
  withModalParam,
} from '#/renderer/lib/navigation/modal-route'

export { isUuid as isPostId } from '#/renderer/lib/core/uuid'

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

/** A photo on the light table: its post and its index. */
export interface TablePhoto {
  id: string
  photo: number
}

export type Direction = 'previous' | 'next'

/** The index of the last photo of a post, whose number of photos may not be known yet. */
export const LAST_PHOTO = Number.MAX_SAFE_INTEGER

/**
 * What comes before or after a photo: another photo of its post, or else the last or first one of the neighbour in the list. Null at an
 * end of the list.
 * @param photos number of photos of the post
 */
export function stepFrom(
  list: readonly string[],
  { id, photo }: TablePhoto,
  photos: number,
  direction: Direction,
): TablePhoto | null {
  const step = direction === 'next' ? 1 : -1
  const beside = Math.min(photo, photos - 1) + step
  if (beside >= 0 && beside < photos) return { id, photo: beside }
  const at = list.indexOf(id)
  const neighbour = at === -1 ? undefined : list[at + step]
  if (neighbour === undefined) return null
  return { id: neighbour, photo: direction === 'next' ? 0 : LAST_PHOTO }
}

/** Number of photos that are decoded ahead. */
const AHEAD = 2

/**
 * The photos to decode ahead: the next two, and the one before.
 * @param countOf number of photos of a post
 */
export function photosAround(
  list: readonly string[],
  shown: TablePhoto,
  countOf: (id: string) => number,
): TablePhoto[] {
  const around: TablePhoto[] = []
  let last: TablePhoto | null = shown
  while (last !== null && around.length < AHEAD) {
    last = stepFrom(list, last, countOf(last.id), 'next')
    if (last !== null) around.push(last)
  }
  const previous = stepFrom(list, shown, countOf(shown.id), 'previous')
  return previous === null ? around : [...around, previous]
}

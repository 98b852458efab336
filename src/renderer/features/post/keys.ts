export const postKeys = {
  post: (id: string) => ['post', id] as const,
  picture: (id: string) => ['picture', id] as const,
  /** The links that a card shows first. */
  links: (id: string) => ['links', id] as const,
  /** The comments that start a thread, or the replies of one. Also the prefix of all comments of a post. */
  comments: (postId: string, threadId: string | null = null) =>
    threadId === null ? (['comments', postId] as const) : (['comments', postId, threadId] as const),
  /** The comments that links name. */
  linkedComments: ['comment'] as const,
  comment: (id: string | null) => ['comment', id] as const,
}

/** The queries of a card. */
export const postQueryKeys = (id: string) =>
  [postKeys.post(id), postKeys.picture(id), postKeys.links(id)] as const

/** The name of comments in the outbox. */
export const COMMENT_KIND = 'comment'

/** The comments on one post are sent in order. */
export function commentScope(postId: string): string {
  return `comment ${postId}`
}

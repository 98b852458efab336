export const postKeys = {
  post: (id: string) => ['post', id] as const,
  picture: (id: string) => ['picture', id] as const,
  comments: (postId: string) => ['comments', postId] as const,
}

/** What a card shows of a post. */
export const postQueryKeys = (id: string) => [postKeys.post(id), postKeys.picture(id)] as const

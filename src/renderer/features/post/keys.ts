export const postKeys = {
  post: (id: string) => ['post', id] as const,
  picture: (id: string) => ['picture', id] as const,
  comments: (postId: string) => ['comments', postId] as const,
}

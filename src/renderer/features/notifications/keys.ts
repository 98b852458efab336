export const notificationKeys = {
  all: ['notifications'] as const,
  unread: ['notifications', 'unread'] as const,
  list: ['notifications', 'list'] as const,
  requests: ['notifications', 'requests'] as const,
  thumbnail: (postId: string | null) => ['post thumbnail', postId] as const,
}

/** Mutation key of answers to follow requests. */
export const ANSWERING = ['answer follow request'] as const

/** What such a mutation gets. */
export interface Answer {
  requesterId: string
  isAccepted: boolean
}

/** Mutation key of marking notifications as read. */
export const MARKING = ['mark notification as read'] as const

import type { Folder } from './model/folders'
import type { SharedKind } from './model/shared'

export const conversationKeys = {
  all: ['conversations'] as const,
  lists: ['conversations', 'list'] as const,
  list: (folder: Folder) => ['conversations', 'list', folder] as const,
  folders: ['conversations', 'folders'] as const,
  unlisted: (ids: readonly string[]) => ['conversations', 'unlisted', ids.join()] as const,
  found: (ids: readonly string[]) => ['found conversations', ids.join()] as const,
  bio: (memberId: string) => ['bio', memberId] as const,
  one: (id: string) => ['conversations', 'one', id] as const,
}

export const messageKeys = {
  histories: ['messages'] as const,
  history: (conversationId: string) => ['messages', conversationId] as const,
  /** Begins like `history`, so that it is refetched and leaves the disk with it. */
  photos: (conversationId: string) => ['messages', conversationId, 'photos'] as const,
  older: (conversationId: string, oldestId: string | undefined) =>
    ['older messages', conversationId, oldestId] as const,
  newer: (conversationId: string, newestId: string | undefined) =>
    ['newer messages', conversationId, newestId] as const,
  around: (conversationId: string, id: string) => ['messages around', conversationId, id] as const,
  search: (query: string, conversationId: string | null) =>
    ['message search', query, conversationId] as const,
  quoted: (id: string) => ['quoted message', id] as const,
  repliedStory: (id: string | null) => ['answered story', id] as const,
  shared: (kind: SharedKind, id: string | null) => [`shared ${kind}`, id] as const,
  photo: (id: string) => ['message photo', id] as const,
}

export const UNREAD_KEY = ['unread conversations'] as const
/** Refetched with the number. */
export const unreadListKey = [...UNREAD_KEY, 'list'] as const

export const activityKey = (memberIds: readonly string[]) => ['activity', memberIds.join()] as const

/** Mutation key of reactions to a message. */
export const reactionKey = (messageId: string) => ['react', messageId] as const

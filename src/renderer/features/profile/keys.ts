import { PROFILE_KEY } from '#/renderer/features/people'
import type { GridKind } from './model'

export const profileKeys = {
  byUsername: (username: string) => [...PROFILE_KEY, username] as const,
  renamedTo: (username: string) => ['renamed-to', username] as const,
  editable: (id: string) => ['editable-profile', id] as const,
  latestPhotos: (memberId: string) => ['latest photos', memberId] as const,
  /** @param about a member's id, or the name of a hashtag or place */
  grid: (kind: GridKind, about: string) => ['grid', kind, about] as const,
}

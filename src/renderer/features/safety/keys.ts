export type SafetyList = 'blocked' | 'muted'

/** Also read before the first screen, which hides muted members. */
export const MUTED_KEY = ['muted'] as const

export const safetyKeys = {
  lists: ['safety'] as const,
  list: (list: SafetyList) => ['safety', list] as const,
  mutedIds: MUTED_KEY,
  blockedMember: (id: string | null) => ['blocked member', id] as const,
  blockedName: (username: string) => ['blocked name', username] as const,
}

import type { SafetyList } from './queries'

export const safetyKeys = {
  lists: ['safety'] as const,
  list: (list: SafetyList) => ['safety', list] as const,
  mutedIds: ['muted'] as const,
  blockedMember: (id: string | null) => ['blocked member', id] as const,
  blockedName: (username: string) => ['blocked name', username] as const,
}

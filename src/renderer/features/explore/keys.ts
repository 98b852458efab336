import type { TopicKind } from '#/renderer/lib/content/topics'

export const exploreKeys = {
  popular: ['popular hashtags'] as const,
  followed: ['followed hashtags'] as const,
  count: (kind: TopicKind, name: string) => ['topic count', kind, name] as const,
  /** Whether the member follows a hashtag. */
  follows: (tag: string) => ['follows hashtag', tag] as const,
}

export const storyKeys = {
  strip: ['stories'] as const,
  ofMembers: ['stories', 'of'] as const,
  ofMember: (id: string) => ['stories', 'of', id] as const,
  story: (id: string) => ['story', id] as const,
  viewers: (id: string) => ['story viewers', id] as const,
  thumbnail: (id: string) => ['story thumbnail', id] as const,
  media: (id: string) => ['story media', id] as const,
}

/** The name of stories in the outbox. */
export const STORY_KIND = 'story'

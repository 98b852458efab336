import { createDraftStore } from '#/renderer/lib/draft-store'

/** What is kept of a begun post: all but its photo, which would have to be chosen again. */
interface KeptDraft {
  content: string
  location: string
  altText: string
  /** Under which id it may have arrived; null for one with a photo, since it would be another post without it. */
  sentAs: string | null
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : '')

const kept = createDraftStore<KeptDraft>('post', ({ content, location, altText, sentAs }) => ({
  content: textOf(content),
  location: textOf(location),
  altText: textOf(altText),
  sentAs: typeof sentAs === 'string' ? sentAs : null,
}))

const NAME = 'new'

export function readKeptDraft(me: string): KeptDraft | null {
  return kept.read(me, NAME)
}

/** Keeps the words of a post as they are now; without any, nothing. */
export function keepDraft(me: string, draft: KeptDraft): void {
  const { content, location, altText, sentAs } = draft
  kept.write(me, NAME, content + location + altText === '' ? null : { content, location, altText, sentAs })
}

import { create } from 'zustand'
import { createDraftStore } from '#/renderer/lib/draft-store'
import { mediaOf } from '#/renderer/lib/media'
import { type ComposerDraft, type ComposerEvent, composerReducer, emptyDraft } from './model'

/** A stored draft: everything but its photo, which would have to be chosen again. */
interface KeptDraft {
  content: string
  location: string
  altText: string
  /** The id under which the server may have stored it; null with a photo, since without it this is another post. */
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

/** Stores the texts of a draft. */
function keepDraft(me: string, draft: KeptDraft): void {
  const { content, location, altText, sentAs } = draft
  kept.write(me, NAME, content + location + altText === '' ? null : { content, location, altText, sentAs })
}

interface ComposerStore {
  /** The draft's member: another member of this window must not see it. */
  owner: string
  draft: ComposerDraft
  /** The id of the last post that was shared. */
  posted: string | null
}

/** The draft of the new post. It stays when the member opens other screens. */
export const useComposerStore = create<ComposerStore>(() => ({
  owner: '',
  draft: emptyDraft(),
  posted: null,
}))

/** Whether the stored draft has to change. */
function hasChanged(draft: ComposerDraft, before: ComposerDraft): boolean {
  const fields = ['content', 'location', 'altText', 'id', 'wasSent'] as const
  return fields.some((field) => draft[field] !== before[field])
}

export function dispatch(event: ComposerEvent): void {
  const { owner, draft: before } = useComposerStore.getState()
  const draft = composerReducer(before, event)
  const isPosted = event.type === 'posted' && draft !== before
  useComposerStore.setState({ draft, ...(isPosted && { posted: event.id }) })
  if (!hasChanged(draft, before)) return
  keepDraft(owner, { ...draft, sentAs: draft.wasSent && mediaOf(draft.photo) === null ? draft.id : null })
}

/** Opens the composer of a member with their stored draft; the draft of another member is dropped. */
export function openComposer(owner: string): void {
  if (useComposerStore.getState().owner !== owner)
    useComposerStore.setState({ owner, draft: withStored(emptyDraft(), kept.read(owner, NAME)) })
}

/** Calls back when the draft has been shared. Returns an unsubscribe function. */
export function onPosted(listener: () => void): () => void {
  return useComposerStore.subscribe((state, before) => {
    if (state.posted !== before.posted) listener()
  })
}

function withStored(draft: ComposerDraft, stored: KeptDraft | null): ComposerDraft {
  if (stored === null) return draft
  const { sentAs, ...words } = stored
  return { ...draft, ...words, ...(sentAs !== null && { id: sentAs, wasSent: true }) }
}

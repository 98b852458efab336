import { create } from 'zustand'
import { logFailure } from '#/renderer/lib/core/logger'
import { createDraftStore } from '#/renderer/lib/local/draft-store'
import { POST_VIDEO, type VideoRules } from '#/shared/limits'
import { filesPlace, keepOnly, saveFiles } from './draft-files-store'
import { filesOf, type KeptMedium, keptMediaOf, loadMedium, textOf, toKept } from './kept-media'
import { NEW_POST } from './keys'
import { type ComposerDraft, type ComposerEvent, composerReducer, emptyDraft } from './model'
import { keepQueued, queuedPhotoIds } from './queued-photos-store'

/** A stored draft. */
interface KeptDraft {
  content: string
  location: string
  photos: readonly KeptMedium[]
  /** The id under which the draft was sent; the server may have stored it. */
  sentAs: string | null
}

const kept = createDraftStore<KeptDraft>(NEW_POST, ({ content, location, photos, sentAs }) => ({
  content: textOf(content),
  location: textOf(location),
  photos: keptMediaOf(photos),
  sentAs: typeof sentAs === 'string' ? sentAs : null,
}))

const NAME = 'new'

/** Stores a draft without the files of its photos and videos. */
function keepDraft(me: string, { content, location, photos, wasSent, id }: ComposerDraft): void {
  const { restoring } = useComposerStore.getState()
  const all = [...restoring, ...photos.map(toKept)]
  const isEmpty = content + location === '' && all.length === 0
  kept.write(me, NAME, isEmpty ? null : { content, location, photos: all, sentAs: wasSent ? id : null })
}

interface ComposerStore {
  /** The draft's member: another member of this window must not see it. */
  owner: string
  draft: ComposerDraft
  /** Stored photos and videos of the draft whose files are being loaded. */
  restoring: readonly KeptMedium[]
  /** Number of running operations that read chosen files, which are not in the draft yet. */
  reading: number
  /** The id of the last post that was shared, or waits in the outbox. */
  posted: string | null
  /** The server's limits for a video, which the app asks for before each conversion. */
  videoRules: VideoRules
}

/** The draft of the new post. It stays when the member opens other screens. */
export const useComposerStore = create<ComposerStore>(() => ({
  owner: '',
  draft: emptyDraft(),
  restoring: [],
  reading: 0,
  posted: null,
  videoRules: POST_VIDEO,
}))

/** Whether the stored draft has to change. Progress is not stored. */
function hasChanged(draft: ComposerDraft, before: ComposerDraft): boolean {
  const fields = ['content', 'location', 'id', 'wasSent'] as const
  if (fields.some((field) => draft[field] !== before[field])) return true
  return JSON.stringify(draft.photos.map(toKept)) !== JSON.stringify(before.photos.map(toKept))
}

export function dispatch(event: ComposerEvent): void {
  const { owner, draft: before } = useComposerStore.getState()
  const draft = composerReducer(before, event)
  const isPosted = (event.type === 'posted' || event.type === 'queued') && draft !== before
  useComposerStore.setState({ draft, ...(isPosted && { posted: event.id }) })
  if (owner === '') return
  const queued = isPosted && event.type === 'queued' ? keepQueued(owner, before.sending) : []
  if (draft.photos !== before.photos && event.type !== 'restored') {
    // The files of what is kept for a queued post stay.
    const own = before.photos.filter(({ id }) => !queued.includes(id))
    saveFiles(filesPlace(owner), filesOf(draft.photos), filesOf(own))
  }
  if (hasChanged(draft, before)) keepDraft(owner, draft)
}

/** Opens the composer of a member with their stored draft; the draft of another member is dropped. */
export function openComposer(owner: string): void {
  if (useComposerStore.getState().owner === owner) return
  const stored = kept.read(owner, NAME)
  const { photos, sentAs, ...words } = stored ?? { photos: [], sentAs: null }
  const draft = { ...emptyDraft(), ...words, ...(sentAs !== null && { id: sentAs, wasSent: true }) }
  useComposerStore.setState({ owner, draft, restoring: photos })
  void restorePhotos(owner, photos)
}

/** Loads the files of a draft's photos and videos. A photo without its files is dropped. */
async function restorePhotos(owner: string, photos: readonly KeptMedium[]): Promise<void> {
  const place = filesPlace(owner)
  // If one cannot be loaded, restore the rest.
  const log = (cause: unknown) => {
    logFailure('restore draft photos', cause)
    return null
  }
  const loaded = await Promise.all(photos.map((kept) => loadMedium(place, kept).catch(log)))
  const restored = loaded.filter((photo) => photo !== null)
  if (useComposerStore.getState().owner !== owner) return
  useComposerStore.setState({ restoring: [] })
  const isComplete = restored.length === photos.length
  if (photos.length > 0) dispatch({ type: 'restored', photos: restored, isComplete })
  const { draft } = useComposerStore.getState()
  await keepOnly(place, [...draft.photos.map(({ id }) => id), ...queuedPhotoIds(owner)])
}

/** Empties the composer of a member, and removes the files of their photos and videos. */
export async function forgetComposer(me: string, place: string): Promise<void> {
  if (useComposerStore.getState().owner === me)
    useComposerStore.setState({ owner: '', draft: emptyDraft(), restoring: [] })
  await keepOnly(place, [])
}

/** Calls back when the draft has been shared, or waits in the outbox. Returns an unsubscribe function. */
export function onPosted(listener: () => void): () => void {
  return useComposerStore.subscribe((state, before) => {
    if (state.posted !== before.posted) listener()
  })
}

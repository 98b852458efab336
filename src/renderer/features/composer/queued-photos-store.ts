import { logFailure } from '#/renderer/lib/core/logger'
import { createDraftStore, draftNames } from '#/renderer/lib/local/draft-store'
import { QUEUED_ORIGINALS_BYTES } from '#/shared/limits'
import { filesPlace, removeFiles } from './draft-files-store'
import { type KeptPhoto, keptPhotosOf, loadPhoto, toKept } from './kept-photo'
import { QUEUED_POST } from './keys'
import type { ComposerDraft, DraftPhoto } from './model'

/** The photos of a post in the outbox as the member chose and edited them: the outbox has only the prepared pictures. */
interface QueuedPost {
  photos: readonly KeptPhoto[]
  /** Size of the originals. */
  bytes: number
}

/** By the id of the post. */
const kept = createDraftStore<QueuedPost>(QUEUED_POST, ({ photos, bytes }) => ({
  photos: keptPhotosOf(photos),
  bytes: typeof bytes === 'number' ? bytes : 0,
}))

function allKept(me: string): QueuedPost[] {
  return draftNames(QUEUED_POST, me).flatMap((id) => kept.read(me, id) ?? [])
}

/** Keeps the photos of a draft that now waits in the outbox; their files are stored already. Returns the ids of those kept. */
export function keepQueued(me: string, draft: Pick<ComposerDraft, 'id' | 'photos'> | null): string[] {
  if (draft === null || draft.photos.length === 0) return []
  const bytes = draft.photos.reduce((sum, { source }) => sum + source.size, 0)
  const used = allKept(me).reduce((sum, post) => sum + post.bytes, 0)
  if (used + bytes > QUEUED_ORIGINALS_BYTES) return []
  kept.write(me, draft.id, { photos: draft.photos.map(toKept), bytes })
  return draft.photos.map(({ id }) => id)
}

/** The ids of all photos that are kept for posts in the outbox. */
export function queuedPhotoIds(me: string): string[] {
  return allKept(me).flatMap(({ photos }) => photos.map(({ id }) => id))
}

/** The photos of a post in the outbox, in its order; null for one without its original. Never rejects. */
export async function loadQueued(me: string, id: string): Promise<(DraftPhoto | null)[]> {
  const log = (cause: unknown) => {
    logFailure('restore photos of a post', cause)
    return null
  }
  const photos = kept.read(me, id)?.photos ?? []
  return Promise.all(photos.map((photo) => loadPhoto(filesPlace(me), photo).catch(log)))
}

/** Removes the photos of posts that have left the outbox. Never rejects. */
export async function forgetQueued(me: string, place: string, ids: readonly string[]): Promise<void> {
  const photos = ids.flatMap((id) => kept.read(me, id)?.photos ?? [])
  for (const id of ids) kept.write(me, id, null)
  await removeFiles(
    place,
    photos.map(({ id }) => id),
  )
}

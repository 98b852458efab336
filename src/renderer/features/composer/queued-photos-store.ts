import { logFailure } from '#/renderer/lib/core/logger'
import { createDraftStore, draftNames } from '#/renderer/lib/local/draft-store'
import { QUEUED_ORIGINALS_BYTES } from '#/shared/limits'
import { type Files, filesPlace, removeFiles } from './draft-files-store'
import { filesOf, type KeptMedium, keptId, keptMediaOf, loadMedium, toKept } from './kept-media'
import { QUEUED_POST } from './keys'
import type { ComposerDraft, DraftMedium } from './model'

/** The photos and videos of a post in the outbox as the member chose and edited them: the outbox has only what was prepared. */
interface QueuedPost {
  photos: readonly KeptMedium[]
  /** Size of the stored files. */
  bytes: number
}

/** By the id of the post. */
const kept = createDraftStore<QueuedPost>(QUEUED_POST, ({ photos, bytes }) => ({
  photos: keptMediaOf(photos),
  bytes: typeof bytes === 'number' ? bytes : 0,
}))

function allKept(me: string): QueuedPost[] {
  return draftNames(QUEUED_POST, me).flatMap((id) => kept.read(me, id) ?? [])
}

/** Of what is stored beside the outbox: of a video the converted one too, which is large. */
function bytesOf({ source, picture }: Files): number {
  return (source?.size ?? 0) + (picture !== null && 'video' in picture ? picture.video.size : 0)
}

/** Keeps the photos and videos of a draft that now waits in the outbox; their files are stored already. Returns the ids of those kept. */
export function keepQueued(me: string, draft: Pick<ComposerDraft, 'id' | 'photos'> | null): string[] {
  if (draft === null || draft.photos.length === 0) return []
  const bytes = filesOf(draft.photos).reduce((sum, files) => sum + bytesOf(files), 0)
  const used = allKept(me).reduce((sum, post) => sum + post.bytes, 0)
  if (used + bytes > QUEUED_ORIGINALS_BYTES) return []
  kept.write(me, draft.id, { photos: draft.photos.map(toKept), bytes })
  return draft.photos.map(({ id }) => id)
}

/** The ids of all photos and videos that are kept for posts in the outbox. */
export function queuedPhotoIds(me: string): string[] {
  return allKept(me).flatMap(({ photos }) => photos.map(keptId))
}

/** The photos and videos of a post in the outbox, in its order; null for one without its original. Never rejects. */
export async function loadQueued(me: string, id: string): Promise<(DraftMedium | null)[]> {
  const log = (cause: unknown) => {
    logFailure('restore photos of a post', cause)
    return null
  }
  const photos = kept.read(me, id)?.photos ?? []
  return Promise.all(photos.map((each) => loadMedium(filesPlace(me), each).catch(log)))
}

/** Removes the photos and videos of posts that have left the outbox. Never rejects. */
export async function forgetQueued(me: string, place: string, ids: readonly string[]): Promise<void> {
  const photos = ids.flatMap((id) => kept.read(me, id)?.photos ?? [])
  for (const id of ids) kept.write(me, id, null)
  await removeFiles(place, photos.map(keptId))
}

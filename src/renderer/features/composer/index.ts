import { lazyScreen } from '#/renderer/components/lazy-screen'
import { POST_KIND } from '#/renderer/features/feed'
import { logIfFails } from '#/renderer/lib/core/logger'
import { draftNames } from '#/renderer/lib/local/draft-store'
import { storageKeyPrefix, storedKeys } from '#/renderer/lib/local/local-storage'
import { onPendingIds } from '#/renderer/lib/outbox'
import { NEW_POST, QUEUED_POST } from './keys'

export const CreateScreen = lazyScreen(() => import('./CreateScreen'), 'CreateScreen')

/** Whether a member has a draft of a post. */
export function hasPostDraft(me: string): boolean {
  return draftNames(NEW_POST, me).length > 0
}

/** Removes the originals of posts that have left the outbox, until the returned function is called. */
export function openComposerDraft(me: string): () => void {
  const place = storageKeyPrefix('composer', me)
  return onPendingIds(POST_KIND, (ids) => {
    const left = draftNames(QUEUED_POST, me).filter((id) => !ids.has(id))
    const forget = async () => (await import('./queued-photos-store')).forgetQueued(me, place, left)
    if (left.length > 0) logIfFails('forget photos of posts', forget())
  })
}

/** Empties the composer of a member, and removes the files of their photos. */
export async function forgetComposer(me: string): Promise<void> {
  await (await import('./composer-store')).forgetComposer(me, storageKeyPrefix('composer', me))
}

/** Removes the files of all members whose drafts of posts were removed because of their age. */
export async function removeOldPhotoFiles(): Promise<void> {
  const { removeLeftFiles } = await import('./draft-files-store')
  const hasDraft = (place: string) => {
    const drafts = place.replace(/^vignette\.composer\./, 'vignette.words.')
    return [NEW_POST, QUEUED_POST].some((kind) => storedKeys(`${drafts}${kind}.`).length > 0)
  }
  await removeLeftFiles(hasDraft)
}

import { lazyScreen } from '#/renderer/components/lazy-screen'
import { isSignedOut } from '#/renderer/features/auth'
import { POST_KIND } from '#/renderer/features/feed'
import { draftNames } from '#/renderer/lib/draft-store'
import { storageKeyPrefix } from '#/renderer/lib/local-storage'
import { logIfFails } from '#/renderer/lib/logger'
import { onPendingIds } from '#/renderer/lib/outbox'
import { QUEUED_POST } from './keys'

export const CreateScreen = lazyScreen(() => import('./CreateScreen'), 'CreateScreen')

/**
 * Removes the originals of posts that have left the outbox. Returns a function to call when the member leaves: after a sign-out
 * their photos do not stay on a shared computer.
 */
export function openComposerDraft(me: string): () => void {
  const place = storageKeyPrefix('composer', me)
  const stop = onPendingIds(POST_KIND, (ids) => {
    const left = draftNames(QUEUED_POST, me).filter((id) => !ids.has(id))
    const forget = async () => (await import('./queued-photos-store')).forgetQueued(me, place, left)
    if (left.length > 0) logIfFails('forget photos of posts', forget())
  })
  return () => {
    stop()
    if (!isSignedOut()) return
    const forget = async () => (await import('./composer-store')).forgetDraftPhotos(me, place)
    logIfFails('forget draft photos', forget())
  }
}

import { lazyScreen } from '#/renderer/components/lazy-screen'
import { isSignedOut } from '#/renderer/features/auth'
import { storageKeyPrefix } from '#/renderer/lib/local-storage'
import { logIfFails } from '#/renderer/lib/logger'

export const CreateScreen = lazyScreen(() => import('./CreateScreen'), 'CreateScreen')

/**
 * Returns a function to call when the member leaves: after a sign-out it removes their draft's photos, which must not
 * stay on a shared computer.
 */
export function openComposerDraft(me: string): () => void {
  const place = storageKeyPrefix('composer', me)
  return () => {
    if (!isSignedOut()) return
    const forget = async () => (await import('./composer-store')).forgetDraftPhotos(me, place)
    logIfFails('forget draft photos', forget())
  }
}

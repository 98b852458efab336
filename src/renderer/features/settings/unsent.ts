import { forgetComposer } from '#/renderer/features/composer'
import { forgetUnsent, hasUnsent as hasUnsentMessages } from '#/renderer/features/messages'
import { forgetReactions } from '#/renderer/features/post'
import { forgetStoryDraft, hasStoryDraft } from '#/renderer/features/stories'
import { logFailure } from '#/renderer/lib/core/logger'
import { clearDrafts, hasDrafts } from '#/renderer/lib/local/draft-store'
import { storedKeys, storeItem } from '#/renderer/lib/local/local-storage'
import { settingPrefix } from './keys'

/** Whether a member has written something on this device that is not sent. Never rejects. */
export async function hasUnsent(me: string, server: string): Promise<boolean> {
  if (hasDrafts(me)) return true
  const ifReadable = (found: Promise<boolean>) =>
    found.catch((cause: unknown) => {
      logFailure('look for what is unsent', cause)
      return false
    })
  const found = [hasUnsentMessages(me, server), hasStoryDraft(me)].map(ifReadable)
  return (await Promise.all(found)).includes(true)
}

/** Removes everything from this device that a member has written and not sent. Never rejects. */
export async function forgetAllUnsent(me: string, server: string): Promise<void> {
  clearDrafts(me)
  forgetReactions(me)
  for (const key of storedKeys(settingPrefix(me))) storeItem(key, null)
  const parts = await Promise.allSettled([forgetUnsent(me, server), forgetComposer(me), forgetStoryDraft(me)])
  for (const part of parts) if (part.status === 'rejected') logFailure('forget what was unsent', part.reason)
}

import type { QueryClient } from '@tanstack/react-query'
import { removeOldRecovery } from '#/renderer/features/auth'
import { openComposerDraft, removeOldPhotoFiles } from '#/renderer/features/composer'
import { PendingPost } from '#/renderer/features/feed'
import { loadMessageDrafts, removeOldMessageDrafts } from '#/renderer/features/messages'
import { loadComments } from '#/renderer/features/post'
import { PendingStories } from '#/renderer/features/stories'
import { logFailure, logIfFails } from '#/renderer/lib/core/logger'
import { onNetworkIdle } from '#/renderer/lib/core/schedule'
import { onCaughtUp, onRowChange } from '#/renderer/lib/live'
import { draftTimes } from '#/renderer/lib/local/draft-age'
import { removeOldDrafts } from '#/renderer/lib/local/draft-store'
import { beginOpening, cancelOpening, failOpening } from '#/renderer/lib/outbox/outbox-store'

/** Loads the code for everything that members write and view offline; it is not in the first load. */
function load() {
  return Promise.all([
    import('#/renderer/lib/outbox/active'),
    import('./outbox-kinds'),
    loadMessageDrafts(),
    loadComments(),
    PendingPost.load(),
    PendingStories.load(),
  ])
}

/** Removes what nobody has edited for `DRAFT_DAYS`, and old requests for a recovery, of all members of this device, once the server's time is known. */
async function removeOld(): Promise<void> {
  const times = draftTimes()
  if (times === null) return
  removeOldDrafts(times)
  removeOldRecovery(times)
  await removeOldMessageDrafts(times)
  await removeOldPhotoFiles()
}

/** Opens the outbox and the drafts of messages, until the returned function is called. Rejects when they cannot be loaded. */
async function openOutbox(client: QueryClient, me: string, server: string): Promise<() => void> {
  beginOpening()
  const [{ startOutbox, markDelivered }, { OUTBOX_KINDS }, openDrafts] = await load().catch(
    (cause: unknown) => {
      failOpening(cause)
      throw cause
    },
  )
  const closeDrafts = [openDrafts(me), openComposerDraft(me)]
  const stop = startOutbox(client, { me, server }, OUTBOX_KINDS)
  const handleOld = () => logIfFails('remove old drafts', removeOld())
  handleOld()
  const ignoreOld = onCaughtUp(handleOld)
  const unsubscribe = onRowChange('messages', ({ row }) => {
    if (row.sender_id === me) markDelivered(row.id)
  })
  return () => {
    unsubscribe()
    ignoreOld()
    for (const close of closeDrafts) close()
    stop()
  }
}

/** Opens the outbox of a member. If its code fails to load, tries again after a reconnect. */
export function openOutboxWhenOnline(client: QueryClient, me: string, server: string): () => void {
  let stop = (): void => undefined
  let isWanted = true
  let isOpen = false
  const open = async () => {
    if (isOpen) return
    isOpen = true
    try {
      const opened = await openOutbox(client, me, server)
      if (isWanted) stop = opened
      else opened()
    } catch (cause) {
      isOpen = false
      logFailure('open outbox', cause)
    }
  }
  const callOff = onNetworkIdle(client, () => void open())
  const ignore = onCaughtUp(() => void open())
  return () => {
    isWanted = false
    callOff()
    ignore()
    stop()
    cancelOpening()
  }
}

import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { refreshPost, refreshPostRow } from '#/renderer/features/post'
import { createThrottle } from '#/renderer/lib/core/schedule'
import { onCaughtUp, onIdsChange, onRowChange } from '#/renderer/lib/live'
import { refetch } from '#/renderer/lib/queries/query-client'
import { ANSWERING, notificationKeys } from './keys'

/**
 * Refetches notifications on live events and after a reconnect (NOTE-03). Refetching instead of merging, because a row
 * has no actor name, may have changed since, and the server counts. Also refetches the posts they are about, and their comments unless
 * they were only liked. Returns whether any has arrived.
 */
export function useLiveNotifications(): boolean {
  const client = useQueryClient()
  const [hasArrived, setHasArrived] = useState(false)

  useEffect(() => {
    const read = () => void refetch(client, notificationKeys.all)
    /** How to refetch each post. */
    const posts = new Map<string, typeof refreshPost>()
    const readSoon = createThrottle(() => {
      read()
      for (const [id, refreshEach] of posts) refreshEach(client, id)
      posts.clear()
    })
    const ignoreEvents = onRowChange('notifications', ({ row: { type, post_id } }) => {
      // Caused by the member's own answer, which refetches after it marked the notification as read.
      if (type === 'follow' && client.isMutating({ mutationKey: ANSWERING }) > 0) return
      setHasArrived(true)
      if (post_id !== null && (type !== 'like' || !posts.has(post_id)))
        posts.set(post_id, type === 'like' ? refreshPostRow : refreshPost)
      readSoon()
    })
    // Undone or deleted by somebody: the count drops, and an open bell loses the line.
    const ignoreDeletions = onIdsChange('notifications', readSoon)
    const ignoreGaps = onCaughtUp(read)
    return () => {
      ignoreEvents()
      ignoreDeletions()
      ignoreGaps()
    }
  }, [client])

  return hasArrived
}

import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { refreshPost } from '#/renderer/features/post'
import { onCaughtUp, onNotificationEvent } from '#/renderer/lib/live'
import { refetch } from '#/renderer/lib/query-client'
import { createThrottle } from '#/renderer/lib/throttle'
import { ANSWERING, notificationKeys } from './queries'

/**
 * Reads the notifications again when one is made, and when some may have been missed (NOTE-03). A row that arrives
 * knows neither its actor's name nor what became of it since, and the count is the server's: so nothing is added up
 * here, and nothing counts twice. The posts they are about are read again too. Tells whether any arrived.
 */
export function useLiveNotifications(): boolean {
  const client = useQueryClient()
  const [hasArrived, setHasArrived] = useState(false)

  useEffect(() => {
    const read = () => void refetch(client, notificationKeys.all)
    const posts = new Set<string>()
    const readSoon = createThrottle(() => {
      read()
      for (const id of posts) refreshPost(client, id)
      posts.clear()
    })
    const ignoreEvents = onNotificationEvent(({ type, post_id }) => {
      // By the member's own answer, which reads anew once it has said that this is no news.
      if (type === 'follow' && client.isMutating({ mutationKey: ANSWERING }) > 0) return
      setHasArrived(true)
      if (post_id !== null) posts.add(post_id)
      readSoon()
    })
    const ignoreGaps = onCaughtUp(read)
    return () => {
      ignoreEvents()
      ignoreGaps()
    }
  }, [client])

  return hasArrived
}

import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { onCaughtUp, onNotificationEvent } from '#/renderer/lib/live'
import { readAnew } from '#/renderer/lib/query-client'
import { ANSWERING, notificationKeys } from './queries'

/** A burst of likes is read once, this long after its first, in milliseconds. */
const BURST_MS = 300

/**
 * Reads the notifications again when one is made, and when some may have been missed (NOTE-03). A row that arrives
 * knows neither its actor's name nor what became of it since, and the count is the server's: so nothing is added up
 * here, and nothing counts twice. Tells whether any arrived.
 */
export function useLiveNotifications(): boolean {
  const client = useQueryClient()
  const [hasArrived, setHasArrived] = useState(false)

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const read = () => {
      timer = undefined
      void readAnew(client, notificationKeys.all)
    }
    const ignoreEvents = onNotificationEvent(({ type }) => {
      // By the member's own answer, which reads anew once it has said that this is no news.
      if (type === 'follow' && client.isMutating({ mutationKey: ANSWERING }) > 0) return
      setHasArrived(true)
      timer ??= setTimeout(read, BURST_MS)
    })
    const ignoreGaps = onCaughtUp(read)
    return () => {
      clearTimeout(timer)
      ignoreEvents()
      ignoreGaps()
    }
  }, [client])

  return hasArrived
}

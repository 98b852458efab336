import type { QueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useMe } from '#/renderer/features/auth'
import { startOutbox } from '#/renderer/features/messages'
import { onCaughtUp, startLive, tellActivity } from '#/renderer/lib/live'
import { logFailure } from '#/renderer/lib/logger'
import { retryFailedQueries } from '#/renderer/lib/query-client'
import { useServerInfo } from '#/renderer/lib/server-info'

/** What runs for a signed-in member whatever page is shown: the live connection, and messages waiting to be sent. */
export function useLive(client: QueryClient): void {
  const { id, profile } = useMe()
  const server = useServerInfo((state) => state.server?.storageKey)

  useEffect(() => startLive(id), [id])

  useEffect(() => (profile.show_activity_status ? tellActivity() : undefined), [profile.show_activity_status])

  useEffect(() => onCaughtUp(() => void retryFailedQueries(client)), [client])

  useEffect(() => {
    if (server === undefined) return
    const started = startOutbox(id, server)
    started.catch((cause: unknown) => logFailure('start outbox', cause))
    return () => void started.then((stop) => stop()).catch(() => undefined)
  }, [id, server])
}

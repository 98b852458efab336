import type { QueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { checkSession, useIsSessionEnding, useMe } from '#/renderer/features/auth'
import { cancelOutbox, startOutbox } from '#/renderer/features/messages'
import { connection, onCaughtUp, startLive, tellActivity } from '#/renderer/lib/live'
import { startLoadingAhead } from '#/renderer/lib/load-ahead'
import { logFailure } from '#/renderer/lib/logger'
import { onNetworkIdle } from '#/renderer/lib/network-idle'
import { onReconnected } from '#/renderer/lib/on-reconnected'
import { retryFailedQueries } from '#/renderer/lib/query-client'
import { useServerInfo } from '#/renderer/lib/server-info'

/** How long after the first page is there the others are loaded, in milliseconds: nothing of that counts into its load. */
const AHEAD_MS = 5_000

/** A sign-out in another window of this device also closes the channel: its news arrives within this time, in milliseconds. */
const SESSION_CHECK_MS = 500

/** What runs for a signed-in member whatever page is shown: the live connection, and messages waiting to be sent. */
export function useLive(client: QueryClient): void {
  const { id, profile } = useMe()
  const isEnding = useIsSessionEnding()
  const server = useServerInfo((state) => state.server?.storageKey)

  useEffect(() => {
    if (isEnding) return undefined
    let isWanted = true
    let stop = (): void => undefined
    let timer: ReturnType<typeof setTimeout> | undefined
    const checkSoon = () => {
      clearTimeout(timer)
      if (isWanted) timer = setTimeout(() => void checkSession(), SESSION_CHECK_MS)
    }
    const callOff = onNetworkIdle(client, () => {
      stop = startLive(id, checkSoon)
    })
    return () => {
      isWanted = false
      callOff()
      clearTimeout(timer)
      stop()
    }
  }, [client, id, isEnding])

  useEffect(() => (profile.show_activity_status ? tellActivity() : undefined), [profile.show_activity_status])

  useEffect(() => onCaughtUp(() => void retryFailedQueries(client)), [client])

  // The session may have ended meanwhile: the server would answer with nothing but empty lists.
  useEffect(() => onReconnected(() => void checkSession()), [])

  useEffect(keepLoadingAhead, [])

  useEffect(
    () => (server === undefined ? undefined : keepOutboxOpen(client, id, server)),
    [client, id, server],
  )
}

/** Loads the screens not shown yet once the connection is there; what cannot be loaded then, when it is back. */
function keepLoadingAhead(): () => void {
  let stop = (): void => undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  const load = () => {
    clearTimeout(timer)
    stop()
    timer = setTimeout(() => {
      stop = startLoadingAhead(() => connection.getState().state === 'online')
    }, AHEAD_MS)
  }
  // Told at the first connection too, which waits for a quiet moment.
  const ignore = onCaughtUp(load)
  return () => {
    ignore()
    clearTimeout(timer)
    stop()
  }
}

/** Opens the outbox; when its code cannot be loaded, again as soon as the connection is back. */
function keepOutboxOpen(client: QueryClient, me: string, server: string): () => void {
  let stop = (): void => undefined
  let isWanted = true
  let isOpen = false
  const open = async () => {
    if (isOpen) return
    isOpen = true
    try {
      const opened = await startOutbox(me, server)
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
    cancelOutbox()
  }
}

import type { QueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { checkSession, useConfirmation, useIsSessionEnding, useMe } from '#/renderer/features/auth'
import {
  conversationViewChanges,
  followGroups,
  messageChanges,
  reportActivity,
  reportDelivery,
} from '#/renderer/features/messages'
import { notificationChanges } from '#/renderer/features/notifications'
import {
  resumeReactions,
  showLikesOfOtherDevices,
  showReactionsOfOtherWindows,
} from '#/renderer/features/post'
import { resumeSettings, signInChanges } from '#/renderer/features/settings'
import { startLoadingAhead } from '#/renderer/lib/browser/load-ahead-store'
import { onNetworkIdle } from '#/renderer/lib/core/schedule'
import { useServerInfo } from '#/renderer/lib/core/server-info'
import {
  connection,
  helpCleaningUp,
  onCaughtUp,
  onReconnected,
  startLive,
  useMismatch,
  waitForFit,
  waitForServer,
} from '#/renderer/lib/live'
import { retryFailedQueries } from '#/renderer/lib/queries/query-recovery'
import { reconnect } from './connect'
import { openOutboxWhenOnline } from './outbox'

/** Delay before the other screens are loaded, in milliseconds, so that they do not slow down the first page. */
const AHEAD_MS = 5_000

/**
 * A sign-out in another window of this device also closes the channel; its storage event arrives within this time, in
 * milliseconds.
 */
const SESSION_CHECK_MS = 500

/**
 * Runs the live connection and the outbox while a member is signed in. Returns whether the session is confirmed and the first page
 * has loaded.
 */
export function useLive(client: QueryClient): boolean {
  const [hasLoaded, setHasLoaded] = useState(false)
  const { id, profile } = useMe()
  const isEnding = useIsSessionEnding()
  const confirmation = useConfirmation()
  const isConfirmed = confirmation === 'confirmed'
  const server = useServerInfo((state) => state.storageKey)

  const mismatch = useMismatch()

  useEffect(() => {
    if (mismatch !== null) return waitForFit()
    return confirmation === 'unreachable' ? waitForServer(reconnect) : undefined
  }, [confirmation, mismatch])

  useEffect(() => {
    if (isEnding || !isConfirmed || mismatch !== null) return undefined
    let isWanted = true
    let stop = (): void => undefined
    let timer: ReturnType<typeof setTimeout> | undefined
    const checkSoon = () => {
      clearTimeout(timer)
      if (isWanted) timer = setTimeout(() => void checkSession(), SESSION_CHECK_MS)
    }
    const callOff = onNetworkIdle(client, () => {
      setHasLoaded(true)
      const sources = [messageChanges, conversationViewChanges, notificationChanges, signInChanges(client)]
      stop = startLive(id, sources, checkSoon)
    })
    return () => {
      isWanted = false
      callOff()
      clearTimeout(timer)
      stop()
    }
  }, [client, id, isEnding, isConfirmed, mismatch])

  // While Activity Status is off, the server refuses these reports (SET-05).
  const reports = isConfirmed && profile.show_activity_status
  useEffect(() => (reports ? reportActivity() : undefined), [reports])
  useEffect(() => (reports ? reportDelivery(id) : undefined), [reports, id])

  useEffect(() => (isConfirmed ? followGroups(client) : undefined), [client, isConfirmed])

  useEffect(() => (isConfirmed ? helpCleaningUp() : undefined), [isConfirmed])

  useEffect(() => resumeReactions(client, id), [client, id])

  useEffect(() => resumeSettings(client, id), [client, id])

  useEffect(() => showReactionsOfOtherWindows(client, id), [client, id])

  useEffect(() => showLikesOfOtherDevices(client, id), [client, id])

  useEffect(() => onCaughtUp(() => void retryFailedQueries(client)), [client])

  // The session may have ended meanwhile: the server would then return empty lists.
  useEffect(() => onReconnected(() => void checkSession()), [])

  useEffect(loadAheadWhenOnline, [])

  useEffect(
    () => (server === null ? undefined : openOutboxWhenOnline(client, id, server)),
    [client, id, server],
  )
  return hasLoaded
}

/** Loads the remaining screens once the connection is there, and retries failed ones after a reconnect. */
function loadAheadWhenOnline(): () => void {
  let stop = (): void => undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  const load = () => {
    clearTimeout(timer)
    stop()
    timer = setTimeout(() => {
      stop = startLoadingAhead(() => connection.getState().state === 'online')
    }, AHEAD_MS)
  }
  // Also emitted for the first connection, which waits for network idle.
  const ignore = onCaughtUp(load)
  return () => {
    ignore()
    clearTimeout(timer)
    stop()
  }
}

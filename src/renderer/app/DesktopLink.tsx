import { useEffect } from 'react'
import { useMe } from '#/renderer/features/auth'
import { desktop, useReports, useRoutes } from '#/renderer/features/desktop'
import { useUnreadConversations } from '#/renderer/features/messages'
import { useUnreadCount } from '#/renderer/features/notifications'
import { retryNow } from '#/renderer/lib/live'
import { logIfFails } from '#/renderer/lib/logger'
import { useNotificationAnswers } from './useNotificationAnswers'

/** What a signed-in member's page has to do with the system around it; nothing of it is on screen. */
export function DesktopLink() {
  const { id: me } = useMe()
  const unread = useUnreadCount() + useUnreadConversations()
  useRoutes()
  useReports(me, unread)
  useNotificationAnswers(me)
  useEffect(() => desktop.system.onResume(retryNow), [])
  useEffect(() => setBadge(unread), [unread])
  // Signed out, nothing is unread.
  useEffect(() => () => setBadge(0), [])
  return null
}

function setBadge(unread: number): void {
  logIfFails('set badge', desktop.badge.set({ unread }))
}

import { useEffect } from 'react'
import { forgetServerLink, useMe, useServerLink } from '#/renderer/features/auth'
import { desktop, useRoutes } from '#/renderer/features/desktop'
import { useUnreadConversations } from '#/renderer/features/messages'
import { useSystemNotifications, useUnreadCount } from '#/renderer/features/notifications'
import { logIfFails } from '#/renderer/lib/core/logger'
import { showToast } from '#/renderer/lib/core/toasts'
import { retryNow } from '#/renderer/lib/live'
import { followUploads } from '#/renderer/lib/outbox'
import { texts } from '#/renderer/lib/texts'
import { useNotificationAnswers } from './useNotificationAnswers'

/** Connects a signed-in member's page to the operating system. Renders nothing. */
export function DesktopIntegration() {
  const { id: me } = useMe()
  const unread = useUnreadCount() + useUnreadConversations()
  useRoutes()
  useSystemNotifications(me, unread)
  useNotificationAnswers(me)
  useEffect(() => desktop.system.onResume(retryNow), [])
  useEffect(() => setBadge(unread), [unread])
  useEffect(() => followUploads((total) => logIfFails('show uploads', desktop.uploads.show(total))), [])
  const linked = useServerLink((state) => state.address)
  // A link never takes a signed-in member to another server.
  useEffect(() => {
    if (linked === null) return
    showToast({ text: texts.session.linkedServer })
    forgetServerLink()
  }, [linked])
  // Clear the badge on sign-out.
  useEffect(() => () => setBadge(0), [])
  return null
}

function setBadge(unread: number): void {
  logIfFails('set badge', desktop.badge.set({ unread }))
}

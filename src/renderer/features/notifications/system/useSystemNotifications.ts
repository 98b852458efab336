import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { desktop, noticeOwner } from '#/renderer/features/desktop'
import { logFailure, logIfFails } from '#/renderer/lib/core/logger'
import { onNetworkIdle } from '#/renderer/lib/core/schedule'

/**
 * Reports events to the host, which shows them as system notifications, and dismisses the ones that were read.
 * @param unread the unread count: when it drops, something was read
 */
export function useSystemNotifications(me: string, unread: number): void {
  const client = useQueryClient()
  const check = useRef(() => {})
  useEffect(() => {
    let isOver = false
    let stop = () => {}
    // Let the page load first.
    const cancel = onNetworkIdle(client, () => {
      Promise.all([import('./report-events'), import('./dismiss-read')]).then(
        ([{ reportEvents }, { dismissRead }]) => {
          if (isOver) return
          const owner = noticeOwner(me)
          const stopReports = reportEvents({
            client,
            me,
            show: async (notice) => desktop.notifications.show({ ...notice, owner: await owner }),
          })
          const dismissals = dismissRead({ me, host: desktop.notifications })
          check.current = dismissals.check
          stop = () => {
            stopReports()
            dismissals.stop()
          }
        },
        (cause) => logFailure('load reports', cause),
      )
    })
    return () => {
      isOver = true
      cancel()
      stop()
      check.current = () => {}
      logIfFails('dismiss notifications', desktop.notifications.dismiss(null))
    }
  }, [client, me])
  const before = useRef(unread)
  useEffect(() => {
    if (unread < before.current) check.current()
    before.current = unread
  }, [unread])
}

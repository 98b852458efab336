import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { desktop, noticeOwner } from '#/renderer/features/desktop'
import { answerNotification } from '#/renderer/features/messages'
import { logFailure } from '#/renderer/lib/core/logger'
import { untilConfirmed } from '#/renderer/lib/server/session/session-status-store'

/** Handles replies and actions from notifications, including those made before the page was loaded. */
export function useNotificationAnswers(me: string): void {
  const client = useQueryClient()
  useEffect(() => {
    const take = () => {
      // The host returns each answer only once, so wait until the server can store it.
      const work = untilConfirmed()
        .then(() => desktop.notifications.takeAnswers())
        .then(async (answers) => {
          const owner = await noticeOwner(me)
          await Promise.all(answers.map((answer) => answerNotification(client, answer, owner)))
        })
      work.catch((cause: unknown) => logFailure('take answers', cause))
    }
    take()
    return desktop.notifications.onAnswered(take)
  }, [client, me])
}

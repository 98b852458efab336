import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { desktop } from '#/renderer/features/desktop'
import { answerNotification } from '#/renderer/features/messages'
import { logFailure } from '#/renderer/lib/core/logger'
import { untilConfirmed } from '#/renderer/lib/server/session/session-status-store'

/** Handles replies and actions from notifications, including those made before the page was loaded. */
export function useNotificationAnswers(): void {
  const client = useQueryClient()
  useEffect(() => {
    const take = () => {
      // The host returns each answer only once, so wait until the server can store it.
      const work = untilConfirmed()
        .then(() => desktop.notifications.takeAnswers())
        .then((answers) => Promise.all(answers.map((answer) => answerNotification(client, answer))))
      work.catch((cause: unknown) => logFailure('take answers', cause))
    }
    take()
    return desktop.notifications.onAnswered(take)
  }, [client])
}

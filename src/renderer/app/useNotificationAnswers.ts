import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { desktop } from '#/renderer/features/desktop'
import { answerNotification } from '#/renderer/features/messages'
import { logFailure } from '#/renderer/lib/logger'

/** Does what the member did in notifications, also before the page was there. */
export function useNotificationAnswers(me: string): void {
  const client = useQueryClient()
  useEffect(() => {
    const take = () => {
      const work = desktop.notifications
        .takeAnswers()
        .then((answers) => Promise.all(answers.map((answer) => answerNotification(client, me, answer))))
      work.catch((cause: unknown) => logFailure('take answers', cause))
    }
    take()
    return desktop.notifications.onAnswered(take)
  }, [client, me])
}

import { useMutation } from '@tanstack/react-query'
import { useMe } from '#/renderer/features/auth'
import type { AppError } from '#/renderer/lib/errors'
import { toAppError } from '#/renderer/lib/errors'
import { logFailure } from '#/renderer/lib/logger'
import type { NewMessage } from '../message'
import { openConversation } from './conversations'
import { sendMessage } from './send'

/** A member to send something to. */
export interface Recipient {
  id: string
  username: string
  full_name: string
  avatar_url: string | null
  avatar_path: string | null
  /** Null while no conversation with them is known. */
  conversationId: string | null
}

/** What every recipient gets. */
export type ShareContent = Pick<NewMessage, 'content' | 'shared'>

export interface ShareResult {
  /** Recipients who did not get it. */
  failed: Recipient[]
  /** Why the first of them failed. */
  error: AppError | null
  /** Whether some of it waits for the connection. */
  isWaiting: boolean
}

/** Sends a message to each recipient, in their conversation, which is created if necessary. */
export function useShareMutation() {
  const { id: me } = useMe()
  return useMutation({
    mutationFn: async (share: { recipients: Recipient[]; content: ShareContent }): Promise<ShareResult> => {
      const results = await Promise.all(
        share.recipients.map(async (recipient) => {
          try {
            const conversation_id = recipient.conversationId ?? (await openConversation(me, recipient.id))
            return { recipient, state: await sendMessage({ conversation_id, ...share.content }) }
          } catch (cause) {
            logFailure('share', cause)
            return { recipient, error: toAppError(cause) }
          }
        }),
      )
      const failures = results.flatMap(({ recipient, error }) =>
        error === undefined ? [] : [{ recipient, error }],
      )
      return {
        failed: failures.map(({ recipient }) => recipient),
        error: failures[0]?.error ?? null,
        isWaiting: results.some(({ state }) => state === 'waiting'),
      }
    },
  })
}

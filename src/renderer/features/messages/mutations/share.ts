import { useMutation } from '@tanstack/react-query'
import { useMe } from '#/renderer/features/auth'
import type { AppError } from '#/renderer/lib/core/errors'
import { toAppError } from '#/renderer/lib/core/errors'
import { logFailure } from '#/renderer/lib/core/logger'
import { newId } from '#/renderer/lib/core/uuid'
import type { PreparedPicture } from '#/renderer/lib/media'
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

/** The content that every recipient gets. */
export interface ShareContent extends Pick<NewMessage, 'content' | 'shared' | 'forwarded'> {
  picture?: PreparedPicture
}

export interface ShareResult {
  /** Recipients who did not get it, and why. */
  failures: { recipient: Recipient; error: AppError }[]
  /** Whether some of it waits for the connection. */
  isWaiting: boolean
}

async function sendTo(me: string, recipient: Recipient, { picture, ...content }: ShareContent) {
  const conversation_id = recipient.conversationId ?? (await openConversation(me, recipient.id))
  const photo = picture && { id: newId(), picture }
  return sendMessage({ conversation_id, ...content, ...(photo && { photo }) })
}

interface Share {
  recipients: Recipient[]
  /** Called once for all recipients. */
  makeContent: () => ShareContent | Promise<ShareContent>
}

/** Sends a message to each recipient, in their conversation, which is created if necessary. */
export function useShareMutation() {
  const { id: me } = useMe()
  return useMutation({
    mutationFn: async ({ recipients, makeContent }: Share): Promise<ShareResult> => {
      const content = await makeContent()
      const results = await Promise.all(
        recipients.map(async (recipient) => {
          try {
            return { recipient, state: await sendTo(me, recipient, content) }
          } catch (cause) {
            logFailure('share', cause)
            return { recipient, error: toAppError(cause) }
          }
        }),
      )
      const failures = results.flatMap(({ recipient, error }) =>
        error === undefined ? [] : [{ recipient, error }],
      )
      return { failures, isWaiting: results.some(({ state }) => state === 'waiting') }
    },
  })
}

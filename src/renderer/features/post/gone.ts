import type { QueryClient } from '@tanstack/react-query'
import { AppError } from '#/renderer/lib/core/errors'
import { showToast } from '#/renderer/lib/core/toasts'
import { texts } from '#/renderer/lib/texts'
import { postKeys } from './keys'

/**
 * After the server refused something about a post: if the post is deleted, or no longer visible, says so, and the post shows
 * the same where it is open. Never throws.
 */
export function explainIfGone(client: QueryClient, postId: string, cause: unknown): void {
  if (!(cause instanceof AppError) || !['forbidden', 'not-found'].includes(cause.code)) return
  const query = client.getQueryCache().find({ queryKey: postKeys.post(postId) })
  // Otherwise nothing on screen is about it.
  if (query?.isActive() !== true) return
  query.fetch(undefined, { cancelRefetch: true }).then(
    (post) => {
      if (post === null) showToast({ text: texts.post.gone })
    },
    // The query cache logs a failure.
    () => undefined,
  )
}

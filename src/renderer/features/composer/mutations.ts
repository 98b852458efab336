import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useMe } from '#/renderer/features/auth'
import { POST_SCOPE, postKind, showFreshFeed } from '#/renderer/features/feed'
import { mediaOf } from '#/renderer/lib/media'
import { submit } from '#/renderer/lib/outbox'
import { dispatch } from './composer-store'
import type { ComposerDraft } from './model'

/** Shares the draft through the outbox, and reloads the feed. A failure is only logged, and keeps the draft (CREATE-04). */
export function useSharePostMutation() {
  const client = useQueryClient()
  const { id: me } = useMe()
  return useMutation({
    mutationFn: ({ id, content, location, altText, photo }: ComposerDraft) => {
      dispatch({ type: 'sent' })
      const payload = { content, location, altText, picture: mediaOf(photo) }
      return submit(postKind, { id, scope: POST_SCOPE, payload })
    },
    // Not in the screen's callback: the member may have left it.
    onSuccess: async (state, { id }) => {
      try {
        if (state === 'sent') await showFreshFeed(client, me)
      } finally {
        dispatch({ type: 'posted', id })
      }
    },
    onError: (_cause, { id }) => dispatch({ type: 'failed', id }),
    meta: { action: 'share post' },
  })
}

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useMe } from '#/renderer/features/auth'
import { POST_SCOPE, postKind, showFreshFeed } from '#/renderer/features/feed'
import { submit } from '#/renderer/lib/outbox'
import { dispatch } from './composer-store'
import { type ComposerDraft, postOf } from './model'

/** Shares the draft through the outbox, and reloads the feed. A failure is only logged, and keeps the draft (CREATE-04). */
export function useSharePostMutation() {
  const client = useQueryClient()
  const { id: me } = useMe()
  return useMutation({
    mutationFn: (draft: ComposerDraft) => {
      dispatch({ type: 'sent' })
      return submit(postKind, { id: draft.id, scope: POST_SCOPE, payload: postOf(draft) })
    },
    // Here and not in the screen's callback, because the member may have left it.
    onSuccess: async (state, { id }) => {
      try {
        if (state === 'sent') await showFreshFeed(client, me)
      } finally {
        dispatch({ type: state === 'sent' ? 'posted' : 'queued', id })
      }
    },
    onError: (_cause, { id }) => dispatch({ type: 'failed', id }),
    meta: { action: 'share post' },
  })
}

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useMe } from '#/renderer/features/auth'
import { POST_SCOPE, postKind, showFreshFeed } from '#/renderer/features/feed'
import { logIfFails } from '#/renderer/lib/core/logger'
import { reportUnshared } from '#/renderer/lib/local/unshared-post-store'
import { submit } from '#/renderer/lib/outbox'
import { dispatch, useComposerStore } from './composer-store'
import { isVideo, postOf, type Sending } from './model'
import { photoWork } from './photo-work-store'
import { dropOutgrown } from './video-conversions'

const sendingNow = () => useComposerStore.getState().draft.sending

/** What became of the draft: `unprepared` if a photo or video could not be prepared or the member cancelled, so that it stays in the form. */
type Outcome = 'sent' | 'waiting' | 'unprepared'

/**
 * Prepares the photos and videos of the draft that are not prepared yet, shares it through the outbox, and reloads the feed. A failure is only
 * logged, and keeps the draft (CREATE-04).
 */
export function useSharePostMutation() {
  const client = useQueryClient()
  const { id: me } = useMe()
  return useMutation({
    onMutate: () => {
      dispatch({ type: 'sharing' })
      return { id: sendingNow()?.id ?? '' }
    },
    mutationFn: async (): Promise<Outcome> => {
      const prepared = await preparedDraft()
      if (prepared === null) return 'unprepared'
      dispatch({ type: 'sent' })
      return submit(postKind, { id: prepared.id, scope: POST_SCOPE, payload: postOf(prepared) })
    },
    // Here and not in the screen's callback, because the member may have left it.
    onSuccess: async (outcome, _variables, { id }) => {
      if (outcome === 'unprepared') return dispatch({ type: 'failed', id })
      try {
        if (outcome === 'sent') await showFreshFeed(client, me)
      } finally {
        dispatch({ type: outcome === 'sent' ? 'posted' : 'queued', id })
      }
    },
    onError: (_cause, _variables, context) => {
      dispatch({ type: 'failed', id: context?.id ?? '' })
      // The server may have refused a video because of its size.
      if (useComposerStore.getState().draft.photos.some(isVideo))
        logIfFails('ask what the server takes', dropOutgrown())
    },
    meta: { action: 'share post' },
  })
}

/** The draft that is being shared, once all its photos and videos are prepared; null if one fails, or the member cancels or signs out. */
async function preparedDraft(): Promise<Sending | null> {
  const sending = sendingNow()
  if (sending === null) return null
  const outcome = await photoWork.finish(sending.photos)
  const now = sendingNow()
  if (now?.id !== sending.id) return null
  if (outcome === 'failed') reportUnshared()
  return outcome === 'prepared' ? now : null
}

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useMe } from '#/renderer/features/auth'
import { showFreshFeed } from '#/renderer/features/feed'
import { wordColumns } from '#/renderer/features/post'
import { mediaOf } from '#/renderer/lib/media'
import { supabase, unwrap } from '#/renderer/lib/supabase'
import { type ComposerDraft, dispatch } from './composer-store'

/** Posts the draft; the feed begins anew with it on top. A failure is only logged (CREATE-04). */
export function useSharePostMutation() {
  const client = useQueryClient()
  const { id: me } = useMe()
  return useMutation({
    mutationFn: async (draft: ComposerDraft) => {
      dispatch({ type: 'sent' })
      const picture = mediaOf(draft.photo)
      const words = wordColumns(draft, picture !== null)
      const posts = supabase().from('posts')
      const stored = await unwrap(
        posts
          .upsert(
            {
              id: draft.id,
              user_id: me,
              image_url: picture?.dataUrl ?? null,
              thumbnail_url: picture?.thumbnailUrl ?? null,
              image_width: picture?.width ?? null,
              image_height: picture?.height ?? null,
              ...words,
            },
            { ignoreDuplicates: true },
          )
          .select('id'),
      )
      // It was there already, from a try whose answer got lost; the words may have changed since.
      if (stored.length === 0) await unwrap(posts.update(words).eq('id', draft.id))
    },
    // Here and not with the call: the member may have left the screen meanwhile.
    onSuccess: async (_answer, { id }) => {
      try {
        await showFreshFeed(client, me)
      } finally {
        dispatch({ type: 'posted', id })
      }
    },
    onError: (_cause, { id }) => dispatch({ type: 'failed', id }),
    meta: { action: 'share post' },
  })
}

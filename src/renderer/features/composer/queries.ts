import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useMe } from '#/renderer/features/auth'
import { showFreshFeed } from '#/renderer/features/feed'
import { logFailure } from '#/renderer/lib/logger'
import { answer, supabase } from '#/renderer/lib/supabase'
import { type ComposerDraft, pictureOf } from './composer-store'

/** Null for what was left empty: the columns know no blank texts. */
function orNull(text: string): string | null {
  const trimmed = text.trim()
  return trimmed === '' ? null : trimmed
}

/** Posts the draft; the feed begins anew with it on top. A failure is only logged (CREATE-04). */
export function useSharePostMutation() {
  const client = useQueryClient()
  const { id: me } = useMe()
  return useMutation({
    mutationFn: async (draft: ComposerDraft) => {
      const picture = pictureOf(draft)
      await answer(
        supabase()
          .from('posts')
          .upsert(
            {
              id: draft.id,
              user_id: me,
              content: draft.content.trim(),
              location: orNull(draft.location),
              image_url: picture?.dataUrl ?? null,
              thumbnail_url: picture?.thumbnailUrl ?? null,
              image_width: picture?.width ?? null,
              image_height: picture?.height ?? null,
              alt_text: picture === null ? null : orNull(draft.altText),
            },
            { ignoreDuplicates: true },
          ),
      )
    },
    onSuccess: () => showFreshFeed(client),
    onError: (cause) => logFailure('share post', cause),
  })
}

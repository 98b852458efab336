import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useMe } from '#/renderer/features/auth'
import { mediaOf } from '#/renderer/lib/media'
import { supabase, unwrap } from '#/renderer/lib/supabase'
import { refreshStrip } from '../queries'
import { dispatch, type StoryDraft } from './making-store'

/** The caption as its column takes it: trimmed, null when nothing is left (STORY-01). */
export function captionOf({ caption }: Pick<StoryDraft, 'caption'>): string | null {
  const trimmed = caption.trim()
  return trimmed === '' ? null : trimmed
}

/** Shares the draft; the strip shows it. A failure is only logged, and keeps everything (STORY-01). */
export function useShareStoryMutation() {
  const client = useQueryClient()
  const { id: me } = useMe()
  return useMutation({
    mutationFn: async (draft: StoryDraft) => {
      const media = mediaOf(draft.chosen)
      if (media === null) return
      dispatch({ type: 'sent' })
      const stories = supabase().from('stories')
      if (draft.replaces.length > 0) await unwrap(stories.delete().in('id', draft.replaces))
      await unwrap(
        stories.upsert(
          {
            id: draft.id,
            user_id: me,
            media_url: media.dataUrl,
            media_type: media.kind,
            content: captionOf(draft),
            thumbnail_url: media.thumbnailUrl,
            media_width: media.width,
            media_height: media.height,
            duration_ms: media.kind === 'video' ? media.durationMs : null,
          },
          { ignoreDuplicates: true },
        ),
      )
    },
    // Here and not with the call: the member may have closed the form meanwhile.
    onSuccess: (_answer, { id }) => {
      dispatch({ type: 'shared', id })
      return refreshStrip(client)
    },
    onError: (_cause, { id }) => dispatch({ type: 'failed', id }),
    meta: { action: 'share story' },
  })
}

import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { useMe } from '#/renderer/features/auth'
import { openConversation, sendMessage } from '#/renderer/features/messages'
import { mediaOf } from '#/renderer/lib/media'
import { supabase, unwrap } from '#/renderer/lib/supabase'
import { storyKeys } from './keys'
import type { Story, StripData } from './queries'
import { captionOf, dispatchDraft, type StoryDraft } from './story-draft-store'

function patchStrip(client: QueryClient, change: (stories: Story[]) => Story[]): void {
  client.setQueryData<StripData>(
    storyKeys.strip,
    (data) =>
      data && { ...data, pages: data.pages.map((page) => ({ ...page, stories: change(page.stories) })) },
  )
}

/** Removes a story from the strip. */
export function dropFromStrip(client: QueryClient, id: string): void {
  patchStrip(client, (stories) => stories.filter((story) => story.id !== id))
}

export function refreshStrip(client: QueryClient): Promise<void> {
  return client.invalidateQueries({ queryKey: storyKeys.strip })
}

/** Records that the member has seen a story, with an optimistic update of the strip (STORY-06, STORY-07). */
export function useRecordViewMutation() {
  const client = useQueryClient()
  const { id: me } = useMe()
  return useMutation({
    mutationFn: (id: string) =>
      unwrap(
        supabase().from('story_views').upsert({ story_id: id, viewer_id: me }, { ignoreDuplicates: true }),
      ),
    onMutate: async (id) => {
      // A response from before the view is stored would show it as unseen again.
      await client.cancelQueries({ queryKey: storyKeys.strip })
      patchStrip(client, (stories) =>
        stories.map((story) => (story.id === id ? { ...story, isSeen: true } : story)),
      )
    },
    meta: { action: 'record story view' },
  })
}

/** Deletes the member's story (STORY-09), and removes it from the cache. */
export function useDeleteStoryMutation() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => unwrap(supabase().from('stories').delete().eq('id', id)),
    onSuccess: async (_data, id) => {
      await client.cancelQueries({ queryKey: storyKeys.strip })
      dropFromStrip(client, id)
      client.setQueryData(storyKeys.story(id), null)
      await refreshStrip(client)
    },
    meta: { action: 'delete story' },
  })
}

/** Shares the draft. A failure is only logged and keeps all input (STORY-01). */
export function useShareStoryMutation() {
  const client = useQueryClient()
  const { id: me } = useMe()
  return useMutation({
    mutationFn: async (draft: StoryDraft) => {
      const media = mediaOf(draft.chosen)
      if (media === null) return
      dispatchDraft({ type: 'sent' })
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
    // Here and not in `mutate`, because the form may have been closed meanwhile.
    onSuccess: (_data, { id }) => {
      dispatchDraft({ type: 'shared', id })
      return refreshStrip(client)
    },
    onError: (_cause, { id }) => dispatchDraft({ type: 'failed', id }),
    meta: { action: 'share story' },
  })
}

interface Reply {
  id: string
  text: string
}

/** Sends a reply or reaction as a message that refers to the story (STORY-05). */
export function useSendReplyMutation(story: Story) {
  const { id: me } = useMe()
  return useMutation({
    mutationFn: async ({ id, text }: Reply) => {
      const conversation_id = await openConversation(me, story.user_id)
      return sendMessage({ conversation_id, content: text.trim(), story_id: story.id }, id)
    },
    meta: { action: 'answer story' },
  })
}

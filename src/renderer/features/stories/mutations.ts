import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { use } from 'react'
import { useMe } from '#/renderer/features/auth'
import type { PreparedMedia } from '#/renderer/lib/media'
// Not the folder's index, so that the strip does not load the code that prepares pictures.
import { readAsDataUrl } from '#/renderer/lib/media/data-url'
import { type OutboxKind, type OutboxRow, usePending } from '#/renderer/lib/outbox'
import { supabase, unwrap } from '#/renderer/lib/supabase'
import { storyKeys } from './keys'
import type { Story, StripData } from './queries'
import { StoryReplyContext } from './story-reply'

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

function refreshStrip(client: QueryClient): Promise<void> {
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

/** A story as it leaves its form. */
export interface NewStory {
  media: PreparedMedia
  caption: string | null
  /** Ids of former versions that may have been stored. */
  replaces: readonly string[]
}

/** All stories of a member are sent in order. */
export const STORY_SCOPE = 'story'

/**
 * Stories in the outbox (STORY-01, STORY-10). Their 24 hours begin when the server stores them, because it sets
 * `expires_at`.
 */
export const storyKind: OutboxKind<NewStory> = {
  name: 'story',
  action: 'share story',
  send: async ({ id, payload: { media, caption, replaces } }, me, client) => {
    const stories = supabase().from('stories')
    if (replaces.length > 0) await unwrap(stories.delete().in('id', replaces))
    await unwrap(
      stories.upsert(
        {
          id,
          user_id: me,
          media_url: media.kind === 'video' ? await readAsDataUrl(media.video) : media.dataUrl,
          media_type: media.kind,
          content: caption,
          thumbnail_url: media.thumbnailUrl,
          media_width: media.width,
          media_height: media.height,
          duration_ms: media.kind === 'video' ? media.durationMs : null,
        },
        { ignoreDuplicates: true },
      ),
    )
    await refreshStrip(client)
  },
}

/** The member's stories that wait for the connection, or were refused after that (STORY-10). */
export function usePendingStories(): OutboxRow<NewStory>[] {
  return usePending(storyKind)
}

interface Reply {
  id: string
  text: string
}

/** Sends a reply or reaction as a message that refers to the story (STORY-05). */
export function useSendReplyMutation({ id: storyId, user_id: ownerId }: Story) {
  const { id: me } = useMe()
  const sendReply = use(StoryReplyContext)
  return useMutation({
    mutationFn: ({ id, text }: Reply) => sendReply(me, { id, storyId, ownerId, text: text.trim() }),
    meta: { action: 'answer story' },
  })
}

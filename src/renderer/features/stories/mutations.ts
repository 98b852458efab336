import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { use } from 'react'
import { useMe } from '#/renderer/features/auth'
import { isRecord } from '#/renderer/lib/local/local-storage'
import type { PreparedMedia } from '#/renderer/lib/media'
import { pictureSizes } from '#/renderer/lib/media/picture/picture-sizes'
import { forgetObjects, removeMedia } from '#/renderer/lib/media-store'
import type { OutboxKind, OutboxRow, SendTools } from '#/renderer/lib/outbox'
import { loadMediaTools } from '#/renderer/lib/outbox/load-tools'
import { supabase, unwrap } from '#/renderer/lib/server/supabase'
import { trimText } from '#/shared/visible-text'
import { STORY_KIND, storyKeys } from './keys'
import type { Story, StripData } from './queries'
import { replyDraftOf } from './reply-drafts'
import { StoryReplyContext } from './story-reply'

/** Changes the stories of the strip and of profiles. */
function patchStories(client: QueryClient, change: (stories: Story[]) => Story[]): void {
  client.setQueriesData<Story[]>({ queryKey: storyKeys.ofMembers }, (stories) => stories && change(stories))
  client.setQueryData<StripData>(
    storyKeys.strip,
    (data) =>
      data && { ...data, pages: data.pages.map((page) => ({ ...page, stories: change(page.stories) })) },
  )
}

/** Removes a story from the strip and from profiles. */
export function dropFromStrip(client: QueryClient, id: string): void {
  patchStories(client, (stories) => stories.filter((story) => story.id !== id))
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
      patchStories(client, (stories) =>
        stories.map((story) => (story.id === id ? { ...story, isSeen: true } : story)),
      )
    },
    meta: { action: 'record story view', isAutomatic: true },
  })
}

/** Deletes stories of the member, then their objects, and resolves with the paths of these. Throws an `AppError`. */
async function deleteStories(ids: readonly string[]): Promise<string[]> {
  const stored = await unwrap(supabase().from('stories').select('media_path,poster_path').in('id', ids))
  await unwrap(supabase().rpc('delete_stories', { ids: [...ids] }))
  const paths = stored
    .flatMap(({ media_path, poster_path }) => [media_path, poster_path])
    .filter((path) => path !== null)
  void removeMedia(paths)
  return paths
}

/** Deletes the member's story (STORY-09), and removes it from the cache. */
export function useDeleteStoryMutation() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => deleteStories([id]),
    onSuccess: async (paths, id) => {
      forgetObjects(client, (path) => paths.includes(path))
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

/** Uploads a story's media. Returns their columns. */
async function uploadedColumns(row: OutboxRow<NewStory>, tools: SendTools) {
  const { media } = row.payload
  const { toStoredPicture, uploadParts } = await loadMediaTools()
  if (media.kind === 'video') {
    const paths = await uploadParts({ poster: media.poster, media: media.video }, row, tools)
    return { media_path: paths.media, poster_path: paths.poster, thumbhash: media.thumbhash }
  }
  // A story fills a window at most: the middle size shows all of it.
  const { full, middle = full, grid, thumbhash, ...size } = await toStoredPicture(media)
  const { width, height } = pictureSizes(size).middle
  const paths = await uploadParts({ poster: grid, media: middle }, row, tools)
  return {
    media_path: paths.media,
    poster_path: paths.poster,
    thumbhash,
    media_width: width,
    media_height: height,
  }
}

/** All stories of a member are sent in order. */
export const STORY_SCOPE = 'story'

/**
 * Stories in the outbox (STORY-01, STORY-10). Their 24 hours begin when the server stores them, because it sets
 * `expires_at`.
 */
export const storyKind: OutboxKind<NewStory> = {
  name: STORY_KIND,
  action: 'share story',
  accepts: (payload) => {
    if (!isRecord(payload)) return false
    const { media, caption, replaces } = payload
    return (
      isRecord(media) &&
      (caption === null || typeof caption === 'string') &&
      Array.isArray(replaces) &&
      replaces.every((id) => typeof id === 'string')
    )
  },
  send: async (row, me, client, tools) => {
    const { media, caption, replaces } = row.payload
    const uploaded = await uploadedColumns(row, tools)
    if (replaces.length > 0) await deleteStories(replaces)
    const inserted = await unwrap(
      supabase()
        .from('stories')
        .upsert(
          {
            id: row.id,
            user_id: me,
            media_type: media.kind,
            content: caption,
            media_width: media.width,
            media_height: media.height,
            duration_ms: media.kind === 'video' ? media.durationMs : null,
            ...uploaded,
          },
          { ignoreDuplicates: true },
        )
        .select('id'),
    )
    // An earlier attempt had stored it with other objects, and its response was lost.
    if (inserted.length === 0) void removeMedia([uploaded.media_path, uploaded.poster_path])
    await refreshStrip(client)
  },
}

interface Reply {
  id: string
  text: string
}

/** Sends a reply or reaction as a message that refers to the story (STORY-05). A reply that fails returns to its field. */
export function useSendReplyMutation({ id: storyId, user_id: ownerId }: Story) {
  const { id: me } = useMe()
  const sendReply = use(StoryReplyContext)
  const { clear, giveBack } = replyDraftOf(me, storyId)
  return useMutation({
    // In their order.
    scope: { id: `reply ${storyId}` },
    mutationFn: ({ id, text }: Reply) => sendReply(me, { id, storyId, ownerId, text: trimText(text) }),
    // Not in the form's callbacks: the next story may be shown.
    onSuccess: (_state, { id }) => clear(id),
    onError: (_cause, { id }) => giveBack(id),
    meta: { action: 'answer story' },
  })
}

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useMe } from '#/renderer/features/auth'
import { forgetOnDisk } from '#/renderer/lib/disk-cache/persist'
import { removeMedia } from '#/renderer/lib/media-store'
import { supabase, unwrap } from '#/renderer/lib/server/supabase'
import type { TablesUpdate } from '#/shared/database.types'
import { postEdits } from '../drafts'
import { postKeys } from '../keys'
import { ALT_FIELDS, orNull, type PostEdit, wordColumns } from '../model'
import { forgetPost, type Post, patchPost, pathsOf, refreshGrids } from '../queries'

/** Saves the texts of a post with photos in Storage, whose own rows have the alt texts. */
export async function savePhotoWords(
  id: string,
  columns: Pick<TablesUpdate<'posts'>, 'content' | 'location'>,
  altTexts: readonly (string | null)[],
): Promise<void> {
  for (const [position, alt_text] of altTexts.entries()) await saveAltText(id, position, alt_text)
  await saveWords(id, columns)
}

function saveAltText(id: string, position: number, alt_text: string | null) {
  const media = supabase().from('post_media')
  return unwrap(media.update({ alt_text }).eq('post_id', id).eq('position', position))
}

function saveWords(id: string, columns: TablesUpdate<'posts'>) {
  const posts = supabase().from('posts')
  return unwrap(
    posts.update(columns).eq('id', id).select('content,location,alt_text,edited_at').maybeSingle(),
  )
}

/** Saves the texts of the member's post. A failure is only logged, and the form keeps them. */
export function useEditPostMutation({ id, media }: Post, hasPicture: boolean) {
  const client = useQueryClient()
  const { id: me } = useMe()
  return useMutation({
    mutationFn: async (edit: PostEdit) => {
      if (media.length === 0) return saveWords(id, wordColumns(edit, hasPicture))
      const { alt_text: _, ...columns } = wordColumns(edit, false)
      for (const [position, { alt_text }] of media.entries()) {
        const changed = altTextAt(edit, position)
        if (changed !== alt_text) await saveAltText(id, position, changed)
      }
      return saveWords(id, columns)
    },
    onSuccess: (saved, edit) => {
      postEdits.markSaved(me, id, edit)
      if (saved === null) forgetPost(client, id)
      else patchPost(client, id, (post) => withEdit({ ...post, ...saved }, edit))
      refreshGrids(client)
    },
    meta: { action: 'edit post' },
  })
}

function altTextAt(edit: PostEdit, position: number): string | null {
  return orNull(edit[ALT_FIELDS[position] ?? 'altText'])
}

/** A post with the saved alt texts of its photos in Storage. */
function withEdit(post: Post, edit: PostEdit): Post {
  const media = post.media.map((photo, position) => ({ ...photo, alt_text: altTextAt(edit, position) }))
  return { ...post, media }
}

/** Deletes the member's post, then its objects; lists that show it remove it. */
export function useDeletePostMutation(onDeleted?: () => void) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => unwrap(supabase().rpc('delete_posts', { ids: [id] })),
    onSuccess: (_response, id) => {
      const post = client.getQueryData<Post | null>(postKeys.post(id))
      if (post != null) void removeMedia(pathsOf(post))
      onDeleted?.()
      forgetPost(client, id)
      refreshGrids(client)
      // The grids on disk that are not in memory.
      forgetOnDisk(client, [['grid']])
    },
    meta: { action: 'delete post' },
  })
}

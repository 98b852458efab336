import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useMe } from '#/renderer/features/auth'
import { supabase, unwrap } from '#/renderer/lib/supabase'
import { postEdits } from './drafts'
import { forgetPost, patchPost, refreshGrids } from './queries'
import { type PostWords, wordColumns } from './words'

interface PostEdit {
  words: PostWords
  hasPicture: boolean
}

/** Saves what one's own post says. It shows with the server's answer; a failure is only logged, and the form keeps it. */
export function useEditPostMutation(id: string) {
  const client = useQueryClient()
  const { id: me } = useMe()
  return useMutation({
    mutationFn: ({ words, hasPicture }: PostEdit) =>
      unwrap(
        supabase()
          .from('posts')
          .update(wordColumns(words, hasPicture))
          .eq('id', id)
          .select('content,location,alt_text,edited_at')
          .maybeSingle(),
      ),
    onSuccess: (saved, { words }) => {
      postEdits.markSaved(me, id, words)
      if (saved === null) forgetPost(client, id)
      else patchPost(client, id, (post) => ({ ...post, ...saved }))
      refreshGrids(client)
    },
    meta: { action: 'edit post' },
  })
}

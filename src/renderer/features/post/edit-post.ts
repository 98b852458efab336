import { useMutation, useQueryClient } from '@tanstack/react-query'
import { logFailure } from '#/renderer/lib/logger'
import { answer, supabase } from '#/renderer/lib/supabase'
import { forgetPost, patchPost, refreshGrids } from './queries'
import type { wordColumns } from './words'

/** Saves what one's own post says. It shows with the server's answer; a failure is only logged, and the form keeps it. */
export function useEditPostMutation(id: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (words: ReturnType<typeof wordColumns>) =>
      answer(
        supabase()
          .from('posts')
          .update(words)
          .eq('id', id)
          .select('content,location,alt_text,edited_at')
          .maybeSingle(),
      ),
    onSuccess: (saved) => {
      if (saved === null) forgetPost(client, id)
      else patchPost(client, id, (post) => ({ ...post, ...saved }))
      refreshGrids(client)
    },
    onError: (cause) => logFailure('edit post', cause),
  })
}

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { supabase, unwrap } from '#/renderer/lib/supabase'
import { forgetPost, refreshGrids } from './queries'

/** Deletes one's own post; lists that show it learn from the cache that it is gone. */
export function useDeletePostMutation(onDeleted?: () => void) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => unwrap(supabase().from('posts').delete().eq('id', id)),
    onSuccess: (_answer, id) => {
      onDeleted?.()
      forgetPost(client, id)
      refreshGrids(client)
    },
    meta: { action: 'delete post' },
  })
}

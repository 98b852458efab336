import { useMutation } from '@tanstack/react-query'
import { logFailure } from '#/renderer/lib/logger'
import { answer, supabase } from '#/renderer/lib/supabase'

/** Deletes one's own post. @param onDeleted takes it out of the list it stands in. */
export function useDeletePostMutation(onDeleted: (id: string) => void) {
  return useMutation({
    mutationFn: (id: string) => answer(supabase().from('posts').delete().eq('id', id)),
    onSuccess: (_answer, id) => onDeleted(id),
    onError: (cause) => logFailure('delete post', cause),
  })
}

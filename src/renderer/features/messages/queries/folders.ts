import { useQuery } from '@tanstack/react-query'
import { toCount } from '#/renderer/lib/server/checks/checked-values'
import { supabase, unwrap } from '#/renderer/lib/server/supabase'
import { conversationKeys } from '../keys'
import type { Folder } from '../model/folders'

/** How many requests and archived conversations the member has, each up to a hundred. Throws an `AppError`. */
export async function loadFolders(): Promise<{ requests: number; archived: number }> {
  const rows = await unwrap(supabase().rpc('conversation_folders').select('folder,conversations'))
  const count = (folder: Folder) => toCount(rows.find((row) => row.folder === folder)?.conversations ?? 0)
  return { requests: count('requests'), archived: count('archived') }
}

export function useFoldersQuery() {
  const { data } = useQuery({ queryKey: conversationKeys.folders, queryFn: loadFolders, staleTime: 0 })
  return data ?? { requests: 0, archived: 0 }
}

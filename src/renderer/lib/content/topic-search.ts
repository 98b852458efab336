import { useQuery } from '@tanstack/react-query'
import { STALE } from '#/renderer/lib/queries/query-client'
import { supabase, unwrap } from '#/renderer/lib/server/supabase'
import { searchKey } from '#/shared/search-key'
import type { TopicKind } from './topics'

/** A hashtag or place, as an author wrote it. */
export interface FoundTopic {
  kind: TopicKind
  label: string
}

/** Hashtags, then places, of which the query begins a word. Throws an `AppError`. */
export async function findTopics(query: string, signal: AbortSignal): Promise<FoundTopic[]> {
  const rows = await unwrap(
    supabase()
      .rpc('search_topics', { query: query.replace(/^＃/, '#') })
      .abortSignal(signal),
  )
  return rows.map(({ kind, label }) => ({ kind: kind === 'place' ? 'place' : 'hashtag', label }))
}

/** Hashtags and places of which the query begins a word; shows the previous results until the new ones arrive. */
export function useTopicSearchQuery(query: string, isOpen: boolean) {
  return useQuery({
    queryKey: ['search topics', searchKey(query)],
    queryFn: ({ signal }) => findTopics(query, signal),
    enabled: query !== '' && isOpen,
    staleTime: STALE.short,
    placeholderData: (previous) => previous,
  })
}

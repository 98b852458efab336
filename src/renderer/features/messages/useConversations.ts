import { type InfiniteData, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useStore } from 'zustand'
import { useMe } from '#/renderer/features/auth'
import { byId } from '#/renderer/lib/batch-loader'
import type { Cursor } from '#/renderer/lib/keyset'
import { STALE } from '#/renderer/lib/query-client'
import { CONVERSATIONS_PAGE } from '#/shared/limits'
import { type Conversation, goneConversation, loadRowsOf, toConversation } from './conversation'
import { conversationKeys, raisedIn, raisedOf, readPage, useConversationQuery } from './conversation-list'
import { useDraftIds } from './drafts'
import { useUnsentTimes } from './outgoing'
import { latestFirst, placedBy } from './raised'

/** One's conversations in pages, latest first. The open one is among them, however long ago it was the latest. */
export function useConversationsQuery(openId: string | null) {
  const client = useQueryClient()
  const { id: me } = useMe()
  const raised = useStore(raisedOf(client))
  const unsent = useUnsentTimes()
  const { data: open } = useConversationQuery(openId)
  const query = useInfiniteQuery({
    queryKey: conversationKeys.list,
    meta: { keepsBlocked: true },
    queryFn: ({ pageParam }) => readPage(client, me, pageParam),
    initialPageParam: null as Cursor,
    getNextPageParam: (page) => page.next,
    staleTime: 0,
    // Nothing tells that a conversation was closed: it is looked after whenever somebody looks.
    refetchOnWindowFocus: true,
  })
  const { data } = query
  const unlisted = useUnlistedQuery(data, unsent)
  const conversations = useMemo(() => {
    const extra = raisedIn(client, raised)
    if (open != null && open.id in raised && !open.isGone) extra.push(open)
    const listed = data?.pages.flatMap((page) => page.conversations) ?? []
    return latestFirst(placedBy([...unlisted, ...extra, ...listed], unsent), raised)
  }, [client, data, open, raised, unlisted, unsent])
  return { ...query, conversations }
}

const NONE: readonly Conversation[] = []

/**
 * Those with something unsent that the pages do not hold: one far down, which is on top by that, or one that is gone,
 * where one finds what was written there.
 */
function useUnlistedQuery(
  data: InfiniteData<{ conversations: Conversation[] }> | undefined,
  unsent: Readonly<Record<string, string>>,
): readonly Conversation[] {
  const client = useQueryClient()
  const { id: me } = useMe()
  const begun = useDraftIds()
  const ids = useMemo(() => {
    if (data === undefined) return []
    const listed = new Set(data.pages.flatMap((page) => page.conversations).map(({ id }) => id))
    const wanted = new Set([...Object.keys(unsent), ...begun])
    return [...wanted].filter((id) => !listed.has(id)).slice(0, CONVERSATIONS_PAGE)
  }, [data, unsent, begun])
  const { data: unlisted = NONE } = useQuery({
    queryKey: conversationKeys.unlisted(ids),
    meta: { keepsBlocked: true },
    queryFn: async () => {
      const rows = byId(await loadRowsOf(me, ids))
      return ids.map((id) => {
        const row = rows.get(id)
        if (row !== undefined) return toConversation(row, me)
        return goneConversation(id, client.getQueryData<Conversation | null>(conversationKeys.one(id)))
      })
    },
    enabled: ids.length > 0,
    staleTime: STALE.short,
  })
  // One that is only begun comes with its page.
  return useMemo(
    () => (ids.length === 0 ? NONE : unlisted.filter(({ id, isGone }) => isGone || id in unsent)),
    [ids, unlisted, unsent],
  )
}

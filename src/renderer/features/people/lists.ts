import { type InfiniteData, useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { useMe } from '#/renderer/features/auth'
import { type Cursor, newestFirst, nextCursor } from '#/renderer/lib/keyset'
import { supabase, unwrap } from '#/renderer/lib/supabase'
import { PEOPLE_PAGE } from '#/shared/limits'
import { moveCounts, PROFILE_KEY } from './counts'

/** Followers or followed members of a member, or likers of a post. */
export type ListKind = 'followers' | 'following' | 'likes'

/** `id` is a member's, or for likes a post's. */
export interface PeopleList {
  kind: ListKind
  id: string
}

const PERSON = 'id,username,full_name,avatar_url,is_private'

/** Newest first. Throws an `AppError`. */
const LOAD = {
  followers: (id: string, after: Cursor) =>
    unwrap(
      newestFirst(
        supabase()
          .from('follows')
          .select(`created_at,person_id:follower_id,person:profiles!follows_follower_id_fkey(${PERSON})`)
          .eq('following_id', id),
        { after, size: PEOPLE_PAGE, idColumn: 'follower_id' },
      ),
    ),
  following: (id: string, after: Cursor) =>
    unwrap(
      newestFirst(
        supabase()
          .from('follows')
          .select(`created_at,person_id:following_id,person:profiles!follows_following_id_fkey(${PERSON})`)
          .eq('follower_id', id),
        { after, size: PEOPLE_PAGE, idColumn: 'following_id' },
      ),
    ),
  likes: (id: string, after: Cursor) =>
    unwrap(
      newestFirst(
        supabase()
          .from('likes')
          .select(`created_at,person_id:user_id,person:profiles!likes_user_id_fkey(${PERSON})`)
          .eq('post_id', id),
        { after, size: PEOPLE_PAGE, idColumn: 'user_id' },
      ),
    ),
} as const

export type Person = Awaited<ReturnType<(typeof LOAD)['likes']>>[number]['person']

interface PeoplePage {
  people: Person[]
  next: Cursor | undefined
}

type Pages = InfiniteData<PeoplePage, Cursor>

const listKey = ({ kind, id }: PeopleList) => ['people', kind, id] as const

/** One page of a list, newest first. Throws an `AppError`. */
export async function loadPeoplePage({ kind, id }: PeopleList, after: Cursor): Promise<PeoplePage> {
  const rows = await LOAD[kind](id, after)
  return {
    // Row security may hide the member but not the row: the embed is null then.
    people: rows.flatMap(({ person }) => (person === null ? [] : [person])),
    next: nextCursor(rows, PEOPLE_PAGE, (row) => ({ createdAt: row.created_at, id: row.person_id })),
  }
}

/** Members in pages, newest first; refetched whenever the list is opened. */
export function usePeopleQuery(list: PeopleList) {
  return useInfiniteQuery({
    queryKey: listKey(list),
    queryFn: ({ pageParam }) => loadPeoplePage(list, pageParam),
    initialPageParam: null as Cursor,
    getNextPageParam: (page) => page.next,
    select: ({ pages }) => [
      ...new Map(pages.flatMap(({ people }) => people).map((person) => [person.id, person])).values(),
    ],
    gcTime: 0,
  })
}

/** A removed member and their position in the list. */
interface Removed {
  person: Person
  page: number
  index: number
}

function find(data: Pages | undefined, id: string): Removed | undefined {
  for (const [page, { people }] of data?.pages.entries() ?? []) {
    const index = people.findIndex((person) => person.id === id)
    const person = people[index]
    if (person !== undefined) return { person, page, index }
  }
  return undefined
}

function without(data: Pages, id: string): Pages {
  return {
    ...data,
    pages: data.pages.map((page) => ({ ...page, people: page.people.filter((person) => person.id !== id) })),
  }
}

/** The list with the member restored, unless a refetch has brought them back. */
function restore(data: Pages, { person, page: from, index }: Removed): Pages {
  if (find(data, person.id) !== undefined) return data
  return {
    ...data,
    pages: data.pages.map((page, at) =>
      at === from ? { ...page, people: page.people.toSpliced(index, 0, person) } : page,
    ),
  }
}

/** Removes a follower: optimistic, with a rollback if the server refuses. */
export function useRemoveFollowerMutation() {
  const client = useQueryClient()
  const { id: me } = useMe()
  const queryKey = listKey({ kind: 'followers', id: me })
  return useMutation({
    meta: { action: 'remove follower' },
    mutationFn: (id: string) =>
      unwrap(supabase().from('follows').delete().eq('follower_id', id).eq('following_id', me)),
    onMutate: async (id) => {
      await client.cancelQueries({ queryKey })
      const taken = find(client.getQueryData<Pages>(queryKey), id)
      client.setQueryData<Pages>(queryKey, (data) => data && without(data, id))
      moveCounts(client, id, me, -1)
      return taken
    },
    onError: (_cause, id, taken) => {
      // Roll back here, because a refetch may fail too.
      client.setQueryData<Pages>(queryKey, (data) => data && taken && restore(data, taken))
      moveCounts(client, id, me, 1)
      return client.invalidateQueries({ queryKey })
    },
    onSuccess: () => client.invalidateQueries({ queryKey: PROFILE_KEY }),
  })
}

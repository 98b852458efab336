import { useQuery } from '@tanstack/react-query'
import { supabase, unwrap } from '#/renderer/lib/server/supabase'
import { PEOPLE_TO_FOLLOW_KEY } from '../keys'

/** Public accounts that the member may want to follow. Throws an `AppError`. */
export async function loadPeopleToFollow() {
  const people = await unwrap(supabase().rpc('people_to_follow'))
  return people.map((person) => ({ ...person, is_private: false }))
}

/** A suggested member, and how many followed members follow them. */
export type Suggestion = Awaited<ReturnType<typeof loadPeopleToFollow>>[number]

/** Loaded on each mount, not later: a member who has just been followed stays in the list. */
export function usePeopleToFollowQuery() {
  return useQuery({ queryKey: PEOPLE_TO_FOLLOW_KEY, queryFn: loadPeopleToFollow, staleTime: 0, gcTime: 0 })
}

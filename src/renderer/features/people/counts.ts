import type { QueryClient } from '@tanstack/react-query'

/** Prefix of the query key of every profile; the username follows. */
export const PROFILE_KEY = ['profile'] as const

interface Counted {
  id: string
  follower_count: number
  following_count: number
}

/** The profile after `follower` followed (step 1) or unfollowed (step -1) `followed`. */
export function withStep<P extends Counted>(profile: P, follower: string, followed: string, step: 1 | -1): P {
  if (profile.id === followed)
    return { ...profile, follower_count: Math.max(0, profile.follower_count + step) }
  if (profile.id === follower)
    return { ...profile, following_count: Math.max(0, profile.following_count + step) }
  return profile
}

/**
 * Updates the counts of both members in the cache. Skips profiles that are being refetched, because the response would
 * undo the update.
 */
export function moveCounts(client: QueryClient, follower: string, followed: string, step: 1 | -1): void {
  void client.cancelQueries({ queryKey: PROFILE_KEY, predicate: ({ state }) => state.data !== undefined })
  client.setQueriesData<Counted | null>({ queryKey: PROFILE_KEY }, (profile) =>
    profile == null ? profile : withStep(profile, follower, followed, step),
  )
}

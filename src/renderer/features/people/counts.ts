import type { QueryClient } from '@tanstack/react-query'

/** Begins the key of every cached profile; the username follows. */
export const PROFILE_KEY = ['profile'] as const

interface Counted {
  id: string
  follower_count: number
  following_count: number
}

/** A profile after `follower` began (step 1) or ceased (step -1) to follow `followed`. */
export function withStep<P extends Counted>(profile: P, follower: string, followed: string, step: 1 | -1): P {
  if (profile.id === followed)
    return { ...profile, follower_count: Math.max(0, profile.follower_count + step) }
  if (profile.id === follower)
    return { ...profile, following_count: Math.max(0, profile.following_count + step) }
  return profile
}

/** Moves the counts of both on screen. Profiles that are just being read again are not: they would undo it. */
export function moveCounts(client: QueryClient, follower: string, followed: string, step: 1 | -1): void {
  void client.cancelQueries({ queryKey: PROFILE_KEY, predicate: ({ state }) => state.data !== undefined })
  client.setQueriesData<Counted | null>({ queryKey: PROFILE_KEY }, (profile) =>
    profile == null ? profile : withStep(profile, follower, followed, step),
  )
}

import type { QueryClient } from '@tanstack/react-query'
import { NEWEST_FOLLOWED_KEY } from '#/renderer/features/people'
import { logFailure } from '#/renderer/lib/core/logger'
import { showIfOffline } from '#/renderer/lib/queries/offline'
import { createToggleSync } from '#/renderer/lib/queries/toggle-sync'
import { supabase, unwrap } from '#/renderer/lib/server/supabase'
import { exploreKeys } from './keys'

/** Follows of hashtags in flight in this window. */
export const hashtagSync = createToggleSync()

export function hashtagKey(me: string, tag: string): string {
  return `${me} ${tag}`
}

/** Follows or unfollows a hashtag: optimistic, with a rollback if the server refuses. */
export async function setFollowsHashtag(
  client: QueryClient,
  me: string,
  tag: string,
  isFollowed: boolean,
): Promise<void> {
  const queryKey = exploreKeys.follows(tag)
  void client.cancelQueries({ queryKey })
  client.setQueryData<boolean>(queryKey, isFollowed)
  await hashtagSync.set(hashtagKey(me, tag), !isFollowed, isFollowed, {
    send: async (shouldFollow) => {
      const follows = supabase().from('hashtag_follows')
      await unwrap(
        shouldFollow
          ? follows.upsert(
              { follower_id: me, tag },
              { onConflict: 'follower_id,tag', ignoreDuplicates: true },
            )
          : follows.delete().eq('follower_id', me).eq('tag', tag),
      )
    },
    onFailed: (confirmed, cause) => {
      logFailure('follow hashtag', cause)
      showIfOffline(cause)
      client.setQueryData<boolean>(queryKey, confirmed)
    },
  })
  for (const changed of [NEWEST_FOLLOWED_KEY, exploreKeys.followed])
    void client.invalidateQueries({ queryKey: changed })
}

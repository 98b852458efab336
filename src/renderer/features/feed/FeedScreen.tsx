import { useQueryClient } from '@tanstack/react-query'
import { ArrowUp } from 'lucide-react'
import { useEffect } from 'react'
import { PostSkeleton } from '#/renderer/components/PostSkeleton'
import { StoriesStrip } from '#/renderer/features/stories'
import { logFailure } from '#/renderer/lib/logger'
import { texts } from '#/renderer/lib/texts'
import { FeedList } from './FeedList'
import { feedIds, showFreshFeed, useFeedQuery, useHasNewPosts } from './queries'

/** /: stories above posts, newest first. */
export function FeedScreen() {
  const client = useQueryClient()
  const feed = useFeedQuery()
  const hasNewPosts = useHasNewPosts(feed.data)
  const ids = feedIds(feed.data)

  // Spec: a fetch error leaves the feed in its empty state and is logged; nothing speaks.
  useEffect(() => {
    if (feed.error !== null) logFailure('read feed', feed.error)
  }, [feed.error])

  const handleNewPosts = () => {
    window.scrollTo({ top: 0 })
    void showFreshFeed(client)
  }

  return (
    <main id="content" className="mx-auto max-w-150 px-3 pt-5 pb-16 sm:px-0">
      <StoriesStrip />
      {hasNewPosts && (
        <div className="pointer-events-none sticky top-17 z-20 -mb-9 flex justify-center">
          <button
            type="button"
            onClick={handleNewPosts}
            className="pointer-events-auto inline-flex h-9 animate-appear items-center gap-1.5 rounded-full bg-accent px-4 font-semibold text-[13.5px] text-on-accent shadow-card"
          >
            <ArrowUp className="size-4" aria-hidden="true" />
            {texts.feed.newPosts}
          </button>
        </div>
      )}
      {feed.isPending && (
        <div role="status" aria-label={texts.loading}>
          <PostSkeleton />
          <PostSkeleton />
        </div>
      )}
      {!feed.isPending && ids.length === 0 && <EmptyFeed />}
      {ids.length > 0 && (
        <FeedList
          ids={ids}
          hasMore={feed.hasNextPage}
          onEnd={() => {
            if (!feed.isFetchingNextPage) void feed.fetchNextPage()
          }}
        />
      )}
    </main>
  )
}

function EmptyFeed() {
  return (
    <div className="grid min-h-[46vh] place-items-center text-center">
      <div>
        <h2 className="font-display text-[26px]">{texts.feed.emptyTitle}</h2>
        <p className="mt-1.5 text-quiet">{texts.feed.emptyBody}</p>
      </div>
    </div>
  )
}

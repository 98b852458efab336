import { useQueryClient } from '@tanstack/react-query'
import { ArrowUp } from 'lucide-react'
import { type ReactNode, useCallback, useEffect, useMemo, useState } from 'react'
import { Button } from '#/renderer/components/Button'
import { PostSkeleton } from '#/renderer/components/PostSkeleton'
import { PageSpinner } from '#/renderer/components/Spinner'
import { useMe } from '#/renderer/features/auth'
import { useMutedIds } from '#/renderer/features/safety'
import { preloadStoryViewer, StoriesStrip } from '#/renderer/features/stories'
import { lazyPart } from '#/renderer/lib/browser/lazy-component'
import { afterPaint } from '#/renderer/lib/core/schedule'
import { useHasWall, useIsSpacious } from '#/renderer/lib/layout/layout'
import { usePending } from '#/renderer/lib/outbox'
import { useReadAhead } from '#/renderer/lib/queries/useReadAhead'
import { texts } from '#/renderer/lib/texts'
import { chooseFeed, chosenFeed, type FeedTab, prefersWall } from './chosen-feed'
import { EmptyFeed } from './components/EmptyFeed'
import { FeedList } from './components/FeedList'
import { FeedTabs, feedPanel, focusFeedTab } from './components/FeedTabs'
import { type FeedKind, POST_KIND } from './keys'
import type { NewPost } from './mutations'
import { feedPosts, showFreshFeed, useFeedQuery, useHasNewPosts, useLatestPosts } from './queries'

const Wall = lazyPart(() => import('./components/Wall'), 'Wall', <PageSpinner />)
const EmptyFollowing = lazyPart(() => import('./components/EmptyFollowing'), 'EmptyFollowing')

const WITH_ASIDE =
  'spacious:mx-auto spacious:grid spacious:max-w-288 spacious:grid-cols-[minmax(0,47.5rem)_20rem] spacious:gap-18'
const COLUMN = 'mx-auto max-w-150 px-3 sm:px-0 spacious:max-w-none'

interface FeedScreenProps {
  /** Shown beside the posts in the widest windows, but not beside the wall. */
  aside: ReactNode
  /** Shown above the posts. */
  children?: ReactNode
}

/** /: stories above the posts of everyone or of followed members, newest first (FEED-13). */
export function FeedScreen({ aside, children }: FeedScreenProps) {
  const { id: me } = useMe()
  const isSpacious = useIsSpacious()
  const [kind, setKind] = useState(() => chosenFeed(me))
  const [isWallChosen, setIsWallChosen] = useState(() => prefersWall(me))
  const isWall = useHasWall() && isWallChosen
  const tab = isWall ? 'wall' : kind
  const handleChoose = (chosen: FeedTab) => {
    chooseFeed(me, chosen)
    setIsWallChosen(chosen === 'wall')
    if (chosen !== 'wall') setKind(chosen)
  }
  return (
    <div className={isWall ? '' : WITH_ASIDE}>
      {/* The virtual list keeps its scroll offset itself: the browser's scroll anchoring would move it as it grows. */}
      <main id="content" className={`w-full pt-2.5 pb-16 [overflow-anchor:none] ${isWall ? 'px-7' : COLUMN}`}>
        <h1 className="sr-only">{texts.nav.home}</h1>
        <div className="mb-1.5 sm:flex sm:items-center sm:gap-5">
          <StoriesStrip />
          <FeedTabs chosen={tab} kind={kind} onChoose={handleChoose} />
        </div>
        {children}
        <div {...feedPanel(tab)}>
          <Feed
            key={tab}
            kind={kind}
            isWall={isWall}
            onShowEveryone={() => {
              handleChoose('everyone')
              focusFeedTab('everyone')
            }}
          />
        </div>
      </main>
      {isSpacious && !isWall && (
        <aside
          aria-label={texts.feed.aside}
          className="sticky top-0 -mx-6 max-h-dvh self-start overflow-y-auto py-6 [scrollbar-width:none]"
        >
          {aside}
        </aside>
      )}
    </div>
  )
}

interface FeedProps {
  kind: FeedKind
  isWall: boolean
  onShowEveryone: () => void
}

/** A fetch error is only logged, and shows the empty state (FEED-10). */
function Feed({ kind, isWall, onShowEveryone }: FeedProps) {
  const client = useQueryClient()
  const { id: me } = useMe()
  const muted = useMutedIds()
  const feed = useFeedQuery(kind)
  const { fetchNextPage, isFetching, dataUpdatedAt: loadedAt } = feed
  const hasPostsSinceLoad = useHasNewPosts(kind, feed.data, muted)
  const hasPostsSinceRestart = useLatestPosts(kind, feed.data, muted)
  const hasNewPosts = hasPostsSinceLoad || hasPostsSinceRestart
  const posts = useMemo(() => feedPosts(feed.data, muted), [feed.data, muted])
  const ids = useMemo(() => posts.map(({ id }) => id), [posts])
  // Stable, so that only the next scroll retries a failed page, not the next render.
  const handleEnd = useCallback(() => fetchNextPage({ cancelRefetch: false }), [fetchNextPage])

  const rows = usePending<NewPost>(POST_KIND)
  const pending = useMemo(() => rows.toReversed(), [rows])

  const isEmpty = !feed.isPending && ids.length === 0
  // All loaded posts are by muted members; later pages may have others.
  const isPassingOver = isEmpty && feed.hasNextPage && !feed.isFetchNextPageError
  const readOn = useReadAhead(ids.length, feed.data?.pages.length ?? 0)
  const readsAhead = isPassingOver && readOn === undefined
  // `loadedAt`: the newest posts may cancel a fetch before any render with `isFetching`, which must then start again.
  useEffect(() => {
    if (readsAhead && !isFetching && loadedAt > 0) void handleEnd()
  }, [readsAhead, isFetching, loadedAt, handleEnd])

  // Not once the network is idle: the page's pictures take long, and the viewer would wait behind them after a click.
  useEffect(() => (feed.isPending ? undefined : afterPaint(preloadStoryViewer)), [feed.isPending])

  const handleNewPosts = () => {
    window.scrollTo({ top: 0 })
    void showFreshFeed(client, me)
  }

  return (
    <>
      <div role="status" className="pointer-events-none sticky top-[calc(var(--bar-height)+29px)] z-20 h-0">
        {hasNewPosts && (
          // In the gap above the first post, at the height of its author.
          <div className="flex -translate-y-6 justify-center">
            <button
              type="button"
              onClick={handleNewPosts}
              className="pointer-events-auto inline-flex h-8 animate-appear items-center gap-1.5 rounded-full bg-accent px-4 font-semibold text-[13px] text-on-accent shadow-card transition-[filter] duration-150 hover:brightness-108 active:brightness-95"
            >
              <ArrowUp className="size-4" aria-hidden="true" />
              {texts.feed.newPosts}
            </button>
          </div>
        )}
      </div>
      {(feed.isPending || readsAhead) && (isWall ? <PageSpinner /> : <FeedSkeleton />)}
      {isPassingOver && readOn !== undefined && pending.length === 0 && (
        <div className="grid h-16 place-items-center">
          <Button onClick={readOn}>{texts.showMore}</Button>
        </div>
      )}
      {isEmpty &&
        !isPassingOver &&
        pending.length === 0 &&
        (kind === 'everyone' ? <EmptyFeed /> : <EmptyFollowing onShowEveryone={onShowEveryone} />)}
      {!feed.isPending && ids.length + pending.length > 0 && isWall && (
        <Wall
          kind={kind}
          posts={posts}
          ids={ids}
          pending={pending}
          query={{
            hasNextPage: feed.hasNextPage,
            isFetching: feed.isFetching,
            isError: feed.isFetchNextPageError,
            fetchNextPage: handleEnd,
          }}
          onReadOn={readOn}
        />
      )}
      {!feed.isPending && ids.length + pending.length > 0 && !isWall && (
        <FeedList
          kind={kind}
          ids={ids}
          pending={pending}
          loadedAt={loadedAt}
          hasMore={feed.hasNextPage}
          isReading={feed.isFetching}
          hasFailed={feed.isFetchNextPageError}
          onEnd={handleEnd}
          onReadOn={readOn}
        />
      )}
    </>
  )
}

function FeedSkeleton() {
  return (
    <div role="status" aria-label={texts.loading}>
      <PostSkeleton />
      <PostSkeleton />
    </div>
  )
}

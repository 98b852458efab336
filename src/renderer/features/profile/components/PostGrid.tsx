import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { Bookmark, Camera, Hash, Images, MapPin, Search, Tag } from 'lucide-react'
import { memo, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { EmptyState } from '#/renderer/components/EmptyState'
import { NotLoaded } from '#/renderer/components/NotLoaded'
import { Picture } from '#/renderer/components/Picture'
import { PageSpinner } from '#/renderer/components/Spinner'
import { SpinnerOrRetry } from '#/renderer/components/SpinnerOrRetry'
import { type KnownPost, PostLink, useInlinePictureQuery } from '#/renderer/features/post'
import { useFocusInList } from '#/renderer/lib/focus'
import { barHeight } from '#/renderer/lib/layout'
import { type PictureSource, storedSource } from '#/renderer/lib/media-store'
import { texts } from '#/renderer/lib/texts'
import { useIsUnreachable } from '#/renderer/lib/useIsOnline'
import { useListScroll } from '#/renderer/lib/useListScroll'
import { usePagePosition } from '#/renderer/lib/usePagePosition'
import { type GridKind, gridPreview } from '../model'
import { type GridPost, useGridQuery } from '../queries'

const COLUMNS = 3
/** Gap between cells, in pixels. */
const GAP = 6
/** Estimated height of an unmeasured row, in pixels. */
const ESTIMATED_ROW = 300
/** Rows rendered above and below the viewport. */
const OVERSCAN = 3
/** The next page is loaded when this many rows are left below. */
const READ_AHEAD = 4

const NONE: GridPost[] = []

interface PostGridProps {
  kind: GridKind
  /** A member's id, or the name of a hashtag or place. */
  about: string
  /** The member's own profile. */
  isOwn?: boolean
}

/** A virtual grid of posts in three columns. */
export function PostGrid({ kind, about, isOwn = false }: PostGridProps) {
  const query = useGridQuery(kind, about)
  const { isPending, isLoadingError, isError, hasNextPage, isFetching, fetchNextPage, refetch } = query
  const isUnreachable = useIsUnreachable(query.failureReason)
  const posts = useHeldBack(query.data ?? NONE)
  const ids = useMemo(() => posts.map(({ id }) => id), [posts])
  const list = useRef<HTMLUListElement>(null)
  const handleFocus = useFocusInList(list, ids)
  const rowCount = Math.ceil(posts.length / COLUMNS)
  const place = usePagePosition(list, posts.length > 0)
  const row = place === null ? ESTIMATED_ROW : (place.width + GAP) / COLUMNS
  const virtualizer = useWindowVirtualizer({
    count: rowCount,
    estimateSize: () => row,
    overscan: OVERSCAN,
    scrollMargin: place?.top ?? 0,
  })
  useLayoutEffect(() => {
    if (row > 0) virtualizer.measure()
  }, [virtualizer, row])

  const top = place?.top ?? 0
  useListScroll({
    list: ['grid', kind, about],
    ids,
    isReady: place !== null && posts.length > 0,
    query,
    positionAt: (offset) => {
      const index = Math.max(0, Math.floor((offset + barHeight() - top) / row))
      const id = ids[index * COLUMNS]
      return isAtTop(offset) || id === undefined ? null : { id, top: top + index * row - offset }
    },
    startOf: (index) => top + Math.floor(index / COLUMNS) * row,
  })

  const rows = virtualizer.getVirtualItems()
  const lastShown = rows.at(-1)?.index ?? 0
  // A running refetch would be cancelled.
  const isNearEnd = hasNextPage && !isFetching && !isError && lastShown >= rowCount - READ_AHEAD
  useEffect(() => {
    if (isNearEnd) void fetchNextPage()
  }, [isNearEnd, fetchNextPage])

  if (isLoadingError || (isPending && isUnreachable))
    return <NotLoaded isUnreachable={isUnreachable} onRetry={refetch} />
  if (isPending) return <PageSpinner />
  if (posts.length === 0 && !hasNextPage) return <EmptyGrid kind={kind} isOwn={isOwn} />
  return (
    <>
      {/* CSS alone derives positions and heights from the width, so they are right before the first measurement. */}
      <ul
        ref={list}
        onFocus={handleFocus}
        style={{ paddingBottom: `calc(${rowCount} * (100% + ${GAP}px) / ${COLUMNS} - ${GAP}px)` }}
        className="relative"
      >
        {rows.flatMap(({ index }) =>
          posts.slice(index * COLUMNS, (index + 1) * COLUMNS).map((post, column) => (
            <li
              key={post.id}
              data-item={post.id}
              style={{
                width: `calc((100% - ${(COLUMNS - 1) * GAP}px) / ${COLUMNS})`,
                // New posts at the start move the others: a transform is no layout shift.
                transform: `translate(calc(${column} * (100% + ${GAP}px)), calc(${index} * (100% + ${GAP}px)))`,
              }}
              className="absolute top-0 left-0 aspect-square"
            >
              <GridCell post={post} list={ids} />
            </li>
          )),
        )}
      </ul>
      {hasNextPage && (
        <div className="grid h-16 place-items-center">
          <SpinnerOrRetry hasFailed={isError} onRetry={fetchNextPage} label={texts.profile.morePosts} />
        </div>
      )}
    </>
  )
}

/** Whether the page is scrolled to its top. `offset` in pixels. */
function isAtTop(offset: number): boolean {
  return offset <= 8
}

/** Holds back new posts at the start until the member is at the top of the page, because they would move all others. */
function useHeldBack(posts: GridPost[]): GridPost[] {
  const [{ last, held }, setState] = useState({ last: posts, held: 0 })
  if (posts !== last) {
    const firstShown = last[held]?.id
    const added = posts.findIndex(({ id }) => id === firstShown)
    setState({ last: posts, held: added > 0 && !isAtTop(window.scrollY) ? added : 0 })
  }
  useEffect(() => {
    if (held === 0) return
    const release = () => {
      if (isAtTop(window.scrollY)) setState((state) => ({ ...state, held: 0 }))
    }
    // The member may have reached the top before this effect.
    release()
    addEventListener('scroll', release, { passive: true })
    return () => removeEventListener('scroll', release)
  }, [held])
  return useMemo(() => (held === 0 ? posts : posts.slice(held)), [posts, held])
}

function textFor(kind: GridKind, isOwn: boolean): { title: string; body: string | null } {
  switch (kind) {
    case 'posts':
      return { title: texts.profile.noPosts, body: isOwn ? texts.profile.noOwnPosts : null }
    case 'saved':
      return { title: texts.profile.noSaved, body: texts.profile.noSavedBody }
    case 'tagged':
      return { title: texts.profile.noTagged, body: texts.profile.noTaggedBody }
    case 'hashtag':
      return { title: texts.explore.none, body: texts.explore.noHashtag }
    case 'place':
      return { title: texts.explore.none, body: texts.explore.noPlace }
    case 'search':
      return { title: texts.search.noPosts, body: texts.search.noPostsBody }
    case 'explore':
      return { title: texts.explore.none, body: texts.explore.noPhotos }
  }
}

const EMPTY_ICONS = {
  posts: Camera,
  saved: Bookmark,
  tagged: Tag,
  hashtag: Hash,
  place: MapPin,
  explore: Camera,
  search: Search,
} as const

function EmptyGrid({ kind, isOwn }: { kind: GridKind; isOwn: boolean }) {
  return (
    <div className="px-4 py-20">
      <EmptyState Icon={EMPTY_ICONS[kind]} {...textFor(kind, isOwn)} />
    </div>
  )
}

interface GridCellProps {
  post: GridPost
  /** Ids of the grid's posts, in order. */
  list: readonly string[]
}

/** A post's thumbnail or the start of its text; opens the post in a modal (PROF-06, PROF-10). */
const GridCell = memo(function GridCell({ post, list }: GridCellProps) {
  const known = useMemo(() => knownPostOf(post), [post])
  return (
    <PostLink
      id={post.id}
      list={list}
      known={known}
      className="relative block size-full overflow-hidden rounded-sm bg-lifted transition-[filter] duration-150 hover:brightness-92 active:brightness-85"
    >
      <CellContent post={post} />
      {post.photos.length > 1 && (
        <>
          <Images aria-hidden="true" className="absolute end-2 top-2 size-5 text-white drop-shadow-md" />
          <span className="sr-only">{texts.post.photos(post.photos.length)}</span>
        </>
      )}
    </PostLink>
  )
})

/** What the cell shows of the post, and of its other photos. */
function knownPostOf(post: GridPost): KnownPost | undefined {
  const { username } = post.author
  const photos = post.photos
    .toSorted((a, b) => a.position - b.position)
    .map((photo) => ({
      source: storedSource({ grid: photo.grid_path }, photo, photo.thumbhash),
      width: photo.width,
      height: photo.height,
      altText: photo.alt_text,
    }))
  if (photos.length > 0) return { username, photos }
  if (post.thumbnail_url === null) return undefined
  const source = { kind: 'inline', url: post.thumbnail_url, preview: null } as const
  return { username, photos: [{ source, width: null, height: null, altText: post.alt_text }] }
}

function firstPhoto({ photos }: GridPost) {
  return photos.find(({ position }) => position === 0)
}

function CellContent({ post }: { post: GridPost }) {
  const photo = firstPhoto(post)
  if (photo !== undefined)
    return (
      <CellPicture post={post} source={storedSource({ grid: photo.grid_path }, photo, photo.thumbhash)} />
    )
  if (post.thumbnail_url === null) return <CellWithoutThumbnail post={post} />
  return <CellPicture post={post} source={{ kind: 'inline', url: post.thumbnail_url, preview: null }} />
}

function CellPicture({ post, source }: { post: GridPost; source: PictureSource }) {
  const altText = (firstPhoto(post) ?? post).alt_text
  return (
    <Picture
      source={source}
      alt={altText ?? texts.post.photoBy(post.author.username)}
      sizes="33vw"
      fit="cover"
      className="size-full"
    />
  )
}

/** A text, unless another client stored a picture without a thumbnail. */
function CellWithoutThumbnail({ post }: { post: GridPost }) {
  const { data: picture } = useInlinePictureQuery(post)
  if (picture != null)
    return <CellPicture post={post} source={{ kind: 'inline', url: picture, preview: null }} />
  return (
    <p
      dir="auto"
      className="grid size-full place-items-center p-2 text-center font-display text-[11.5px] leading-snug [overflow-wrap:anywhere] sm:p-6 sm:text-[19px]"
    >
      {gridPreview(post.content)}
    </p>
  )
}

import { Bookmark, Camera, Hash, MapPin, Search, Tag } from 'lucide-react'
import { memo, useEffect, useMemo, useState } from 'react'
import { Link } from 'react-router-dom'
import { buttonClass } from '#/renderer/components/Button'
import { EmptyState } from '#/renderer/components/EmptyState'
import { NotLoaded } from '#/renderer/components/NotLoaded'
import { isAtTop, type PhotoLayout, PhotoRows } from '#/renderer/components/PhotoRows'
import { Picture } from '#/renderer/components/Picture'
import { PageSpinner } from '#/renderer/components/Spinner'
import { CellText, type KnownPost, PostCell, useInlinePictureQuery } from '#/renderer/features/post'
import { photoRatio } from '#/renderer/lib/layout/photo-frame'
import { isFramedWhole } from '#/renderer/lib/layout/photo-rows'
import { type PictureSource, storedSource } from '#/renderer/lib/media-store'
import { useIsUnreachable } from '#/renderer/lib/queries/useIsOnline'
import { useReadAhead } from '#/renderer/lib/queries/useReadAhead'
import { texts } from '#/renderer/lib/texts'
import { gridLayout } from '../grid-layout'
import { type GridKind, gridPreview } from '../model'
import { type GridPost, useGridQuery } from '../queries'

/** Photos beyond these proportions may be wider in a cell than in the feed. */
const LONG_RATIO = 2

const NONE: { posts: GridPost[]; pages: number } = { posts: [], pages: 0 }

interface PostGridProps {
  kind: GridKind
  /** A member's id, or the name of a hashtag or place. */
  about: string
  /** The member's own profile. */
  isOwn?: boolean
}

/** Posts as a grid in three columns, or as whole photos in rows, as the member has chosen. */
export function PostGrid({ kind, about, isOwn = false }: PostGridProps) {
  const query = useGridQuery(kind, about)
  const { isPending, isLoadingError, hasNextPage, refetch } = query
  const isUnreachable = useIsUnreachable(query.failureReason)
  const layout = gridLayout.useChoice()
  const { posts: loaded, pages } = query.data ?? NONE
  const posts = useHeldBack(loaded)
  const readOn = useReadAhead(loaded.length, pages)
  const ids = useMemo(() => posts.map(({ id }) => id), [posts])
  const items = useMemo(() => posts.map((post) => ({ id: post.id, ratio: cellRatio(post), post })), [posts])

  if (isLoadingError || (isPending && isUnreachable))
    return <NotLoaded isUnreachable={isUnreachable} onRetry={refetch} />
  if (isPending) return <PageSpinner />
  if (posts.length === 0 && !hasNextPage) return <EmptyGrid kind={kind} isOwn={isOwn} />
  return (
    <PhotoRows
      name={['grid', kind, about]}
      items={items}
      layout={layout}
      query={query}
      onReadOn={readOn}
      loading={texts.profile.morePosts}
    >
      {({ post }, width) => <GridCell post={post} list={ids} width={width} layout={layout} />}
    </PhotoRows>
  )
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
      <EmptyState Icon={EMPTY_ICONS[kind]} {...textFor(kind, isOwn)}>
        {kind === 'posts' && isOwn && (
          <Link to="/create" className={`mt-5 ${buttonClass('primary')}`}>
            {texts.feed.createPost}
          </Link>
        )}
      </EmptyState>
    </div>
  )
}

interface GridCellProps extends CellContentProps {
  /** Ids of the grid's posts, in order. */
  list: readonly string[]
}

const GridCell = memo(function GridCell({ post, list, ...cell }: GridCellProps) {
  const known = useMemo(() => knownPostOf(post), [post])
  const videos = useMemo(
    () => post.media.toSorted((a, b) => a.position - b.position).map(({ kind }) => kind === 'video'),
    [post],
  )
  const durationMs = firstPhoto(post)?.duration_ms ?? null
  return (
    <PostCell post={post} known={known} list={list} videos={videos} durationMs={durationMs}>
      <CellContent post={post} {...cell} />
    </PostCell>
  )
})

/** What the cell shows of the post, and of its other photos. */
function knownPostOf(post: GridPost): KnownPost | undefined {
  const { username } = post.author
  const media = post.media
    .toSorted((a, b) => a.position - b.position)
    .map((row) => ({
      source: sourceOf(row),
      width: row.width,
      height: row.height,
      altText: row.alt_text,
      // Its cover, until the post is read.
      video: null,
    }))
  if (media.length > 0) return { username, media }
  if (post.thumbnail_url === null) return undefined
  const source = { kind: 'inline', url: post.thumbnail_url, preview: null } as const
  return { username, media: [{ source, width: null, height: null, altText: post.alt_text, video: null }] }
}

/** The sizes of a photo that a cell needs: only a panorama is wider than the feed's picture. */
function sourceOf(photo: GridPost['media'][number]): PictureSource {
  const { grid_path: grid, feed_path: feed, middle_path, thumbhash } = photo
  const middle = photoRatio(photo) > LONG_RATIO ? middle_path : null
  return storedSource({ grid, feed, middle }, photo, thumbhash)
}

function firstPhoto({ media }: GridPost) {
  return media.find(({ position }) => position === 0)
}

/** Width divided by height of what a cell shows whole; 1 for a text. */
function cellRatio(post: GridPost): number {
  return photoRatio(firstPhoto(post) ?? { width: post.image_width, height: post.image_height })
}

interface CellContentProps {
  post: GridPost
  /** Width of the picture in the cell, in pixels. */
  width: number
  layout: PhotoLayout
}

/** A post's picture or the start of its text. */
function CellContent({ post, ...cell }: CellContentProps) {
  const photo = firstPhoto(post)
  if (photo !== undefined) return <CellPicture post={post} source={sourceOf(photo)} {...cell} />
  if (post.thumbnail_url === null) return <CellWithoutThumbnail post={post} {...cell} />
  return (
    <CellPicture post={post} source={{ kind: 'inline', url: post.thumbnail_url, preview: null }} {...cell} />
  )
}

function CellPicture({ post, source, width, layout }: CellContentProps & { source: PictureSource }) {
  const photo = firstPhoto(post)
  const by = photo?.kind === 'video' ? texts.post.videoBy : texts.post.photoBy
  return (
    <Picture
      source={source}
      alt={(photo ?? post).alt_text ?? by(post.author.username)}
      sizes={`${Math.ceil(width)}px`}
      fit={layout === 'squares' || isFramedWhole(cellRatio(post)) ? 'cover' : 'contain'}
      className="size-full"
    />
  )
}

/** A text, unless another client stored a picture without a thumbnail. */
function CellWithoutThumbnail({ post, ...cell }: CellContentProps) {
  const { data: picture } = useInlinePictureQuery(post)
  if (picture != null)
    return <CellPicture post={post} source={{ kind: 'inline', url: picture, preview: null }} {...cell} />
  return <CellText>{cell.layout === 'squares' ? gridPreview(post.content) : post.content}</CellText>
}

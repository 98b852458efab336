import type { ReactNode, RefObject } from 'react'
import { Button } from '#/renderer/components/Button'
import { Fold } from '#/renderer/components/Fold'
import { Picture } from '#/renderer/components/Picture'
import { Spinner } from '#/renderer/components/Spinner'
import { creditOf } from '#/renderer/lib/content/picture-credit'
import { columnSizes, fittedStyle } from '#/renderer/lib/layout/photo-frame'
import type { StoredMedia } from '#/renderer/lib/media-store'
import { texts } from '#/renderer/lib/texts'
import type { KnownPost } from '../known-posts'
import { isShortText, stageStyle, tableSizes, ZOOMED_SIZES } from '../model'
import type { Post } from '../queries'
import { usePreparedSizes, type useTablePost } from '../table-queries'
import type { Zoom } from '../useZoom'
import { AltText, altTextOf, VideoPlayer, videosOf } from './FeedPhotos'

interface TableStageProps {
  opened: ReturnType<typeof useTablePost>
  /** Index of the photo that is shown. */
  current: number
  zoom: Zoom
  /** The area that shows the photo. */
  stage: RefObject<HTMLDivElement | null>
  /** The panel is below, in a narrow window. */
  hasPanel: boolean
}

/** The photo of the light table, the text of a post without one, or why there is nothing to see. */
export function TableStage({ opened, current, zoom, stage, hasPanel }: TableStageProps) {
  const { post, media, known, hasFailed } = opened
  const photo = media?.[current]
  const username = post?.author.username ?? known?.username
  if (media !== null && photo !== undefined) {
    const label = texts.post.photoOf(current + 1, media.length, videosOf(media))
    const touch = zoom.view === null ? 'touch-pan-y table-wide:touch-none' : 'touch-none'
    return (
      <div
        ref={stage}
        {...(media.length > 1 && { role: 'group', 'aria-label': label })}
        style={stageStyle(media)}
        className={`@container-size relative select-none overflow-hidden group-data-idle/table:cursor-none table-wide:min-h-0 table-wide:flex-1 ${touch} ${hasPanel ? 'table-stage' : 'min-h-0 flex-1'}`}
      >
        <TablePhoto
          key={current}
          post={post ?? null}
          alt={username === undefined ? (photo.altText ?? '') : altTextOf({ author: { username } }, photo)}
          photo={photo}
          known={known?.media[current]}
          zoom={zoom}
        />
        {post != null && photo.video !== null && (
          <VideoPlayer
            key={photo.video.path}
            postId={post.id}
            photo={photo}
            video={photo.video}
            alt={altTextOf(post, photo)}
            isAlone
            isOnTable
          />
        )}
        <div className="table-controls">
          <AltText photo={photo} isAlone isCentred />
        </div>
      </div>
    )
  }
  return (
    <div
      ref={stage}
      className={`flex overflow-y-auto table-wide:min-h-0 table-wide:flex-1 ${hasPanel ? 'not-table-wide:min-h-[50dvh]' : 'min-h-0 flex-1'}`}
    >
      {/* Another element for another content: it is in the middle, and would move. */}
      <div key={`${post === undefined} ${hasFailed}`} className="m-auto w-full max-w-170 p-8">
        <StageText opened={opened} />
      </div>
    </div>
  )
}

function StageText({ opened: { post, media, hasFailed, refetch } }: Pick<TableStageProps, 'opened'>) {
  if (post === null)
    return (
      <Notice>
        <p className="font-display text-[22px]">{texts.post.goneTitle}</p>
        <p className="mt-1.5">{texts.post.goneBody}</p>
      </Notice>
    )
  if (hasFailed)
    return (
      <Notice>
        <NotRead onRetry={refetch} />
      </Notice>
    )
  if (post === undefined || media === null)
    return (
      <Notice>
        <Spinner size={28} />
      </Notice>
    )
  return <PostWords post={post} />
}

export function NotRead({ onRetry }: { onRetry: () => Promise<unknown> }) {
  return (
    <div>
      <p className="mb-4">{texts.post.notLoaded}</p>
      <Button onClick={() => void onRetry()}>{texts.tryAgain}</Button>
    </div>
  )
}

function Notice({ children }: { children: ReactNode }) {
  return <div className="animate-appear text-center">{children}</div>
}

/** The text of a post without a photo. */
function PostWords({ post }: { post: Post }) {
  const size = isShortText(post.content) ? 'text-[32px] leading-snug' : 'text-[20px]'
  return (
    <div className={`animate-appear font-display ${size}`}>
      <Fold
        id={post.id}
        text={post.content}
        place="picture"
        buttonClass="py-0.5 text-[15px] text-ink underline-offset-3 hover:underline"
      />
    </div>
  )
}

interface TablePhotoProps {
  /** Null until it is read; then the photo has all its sizes. */
  post: Post | null
  alt: string
  photo: StoredMedia
  /** The photo as a grid shows it. */
  known: KnownPost['media'][number] | undefined
  zoom: Zoom
}

/** The photo in its frame: first in the size that was on screen where it was opened, then in a larger one. */
function TablePhoto({ post, alt, photo, known, zoom }: TablePhotoProps) {
  const wanted = zoom.view === null ? tableSizes(photo) : ZOOMED_SIZES
  const stored = post !== null && photo.source.kind === 'stored' ? photo.source : null
  const prepared = usePreparedSizes(stored, wanted)
  const first =
    known === undefined
      ? { source: photo.source, sizes: columnSizes(photo) }
      : { source: known.source, sizes: '33vw' }
  const shown = prepared === undefined ? first : { source: photo.source, sizes: prepared }
  return (
    <Picture
      {...shown}
      {...(post !== null && creditOf(post.author.username, post.created_at))}
      data-table-photo=""
      alt={alt}
      width={photo.width ?? undefined}
      height={photo.height ?? undefined}
      fit="contain"
      // In the first frame, and not one later.
      decoding="sync"
      style={{ ...fittedStyle(photo), transform: zoom.transform, viewTransitionName: 'table-photo' }}
      className={`absolute inset-0 m-auto ${zoom.isGliding ? 'transition-transform duration-160' : ''} ${photo.video !== null ? '' : zoom.view === null ? 'cursor-zoom-in group-data-idle/table:cursor-none' : 'cursor-grab active:cursor-grabbing'}`}
    />
  )
}

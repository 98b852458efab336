import { type ReactNode, useRef, useState } from 'react'
import { useLocation } from 'react-router-dom'
import { Button } from '#/renderer/components/Button'
import { Spinner } from '#/renderer/components/Spinner'
import { texts } from '#/renderer/lib/texts'
import { isPostId, linkedCommentId } from '../address'
import type { SentComment } from '../drafts'
import { openPhotoStyle } from '../model'
import { useReactions } from '../mutations/reactions'
import { type Post, useFreshPostQuery, usePostPhotos } from '../queries'
import { CameraLine } from './CameraLine'
import { CommentForm } from './CommentForm'
import { CommentList } from './CommentList'
import { PostCarousel } from './FeedPhotos'
import { PendingComments } from './PendingComments'
import { PostActions } from './PostActions'
import { PostHeader } from './PostHeader'
import { Caption, PictureText } from './PostText'
import { ZoomablePhoto } from './ZoomablePhoto'

interface OpenPostProps {
  /** From the address: may be any text. */
  id: string
  onDeleted: () => void
}

/** A post with its full text and its comments, or a notice that it is deleted or hidden. */
export function OpenPost({ id, onDeleted }: OpenPostProps) {
  return isPostId(id) ? <ReadPost id={id} onDeleted={onDeleted} /> : <Gone />
}

function ReadPost({ id, onDeleted }: OpenPostProps) {
  const { data: post, isError, refetch } = useFreshPostQuery(id)
  if (post === null) return <Gone />
  if (post !== undefined) return <LoadedPost post={post} onDeleted={onDeleted} />
  if (!isError) {
    return (
      <Middle>
        <Spinner size={28} />
      </Middle>
    )
  }
  return (
    <Middle>
      <p className="mb-4 text-quiet">{texts.post.notLoaded}</p>
      <Button onClick={() => void refetch()}>{texts.tryAgain}</Button>
    </Middle>
  )
}

function Gone() {
  return (
    <Middle isNarrow>
      <p className="font-display text-[22px]">{texts.post.goneTitle}</p>
      <p className="mt-1.5 text-quiet">{texts.post.goneBody}</p>
    </Middle>
  )
}

/** The dialog's surface. Each state has its own, so that no element moves when the post is loaded. */
const PANEL =
  'flex min-h-0 flex-1 animate-appear flex-col bg-raised md:max-h-[calc(100dvh-3rem-var(--banner-height))] md:flex-none md:overflow-hidden md:rounded-lg md:border md:border-line md:shadow-card'

interface MiddleProps {
  /** The dialog is as small as its content. */
  isNarrow?: boolean
  children: ReactNode
}

function Middle({ isNarrow = false, children }: MiddleProps) {
  return (
    <div
      className={`${PANEL} min-h-80 items-center justify-center p-6 text-center ${isNarrow ? NARROW : 'md:h-170 md:w-[min(100vw-8rem,60rem)]'}`}
    >
      <div>{children}</div>
    </div>
  )
}

/** Wide windows show the picture beside the text; narrow ones show everything in one scrolling column. */
const WITH_PICTURE = 'md:photo-beside-words md:grid-rows-[auto_minmax(0,1fr)_auto]'

/** A post without a picture is one column. */
const NARROW = 'md:max-h-[min(47.5rem,100dvh-3rem-var(--banner-height))]! md:w-[min(100vw-8rem,37.5rem)]'

interface LoadedPostProps {
  post: Post
  onDeleted: () => void
}

function LoadedPost({ post, onDeleted }: LoadedPostProps) {
  const reactions = useReactions(post)
  const photos = usePostPhotos(post)
  const [first] = photos
  const [sent, setSent] = useState<SentComment | null>(null)
  const linked = linkedCommentId(useLocation().search)
  const linkedId = linked !== null && isPostId(linked) ? linked : null
  const foot = useRef<HTMLDivElement>(null)
  const focusField = () => foot.current?.querySelector<HTMLElement>('[data-comment-field]')?.focus()
  const hasPicture = first !== undefined
  return (
    <article
      aria-label={texts.post.by(post.author.username)}
      style={first && openPhotoStyle(first)}
      className={`${PANEL} ${hasPicture ? WITH_PICTURE : NARROW}`}
    >
      <div className={`min-h-0 flex-1 overflow-y-auto overscroll-contain ${hasPicture ? 'md:contents' : ''}`}>
        <div className="border-line md:col-start-2 md:border-b">
          <PostHeader post={post} onDeleted={onDeleted} />
        </div>
        {hasPicture && (
          <div className="relative bg-sunk max-md:aspect-(--photo-ratio) max-md:max-h-[min(56dvh,var(--photo-highest))] max-md:min-h-30 max-md:w-full md:col-start-1 md:row-span-3 md:row-start-1 md:min-h-0">
            <PostCarousel post={post} photos={photos}>
              {(photo) => <ZoomablePhoto post={post} photo={photo} isAlone={photos.length === 1} />}
            </PostCarousel>
          </div>
        )}
        <div className={hasPicture ? 'md:col-start-2 md:row-start-2 md:overflow-y-auto' : ''}>
          {!hasPicture && <PictureText post={post} />}
          {hasPicture && post.content !== '' && (
            <div className="px-4 pt-3 pb-1.5">
              <Caption post={post} place="openCaption" />
            </div>
          )}
          <CameraLine post={post} />
          <CommentList post={post} sent={sent} linkedId={linkedId} onReply={focusField} />
        </div>
      </div>
      <div ref={foot} className="border-line border-t md:col-start-2">
        <PostActions post={post} reactions={reactions} onComment={focusField} />
        <PendingComments postId={post.id} onEdit={focusField} />
        <CommentForm postId={post.id} onSent={setSent} />
      </div>
    </article>
  )
}

import { Heart, Images, MessageCircle } from 'lucide-react'
import { memo, type ReactNode, useState } from 'react'
import { Count } from '#/renderer/components/Count'
import { VideoMark } from '#/renderer/components/VideoMark'
import { texts } from '#/renderer/lib/texts'
import type { KnownPost } from '../known-posts'
import { cellText } from '../model'
import { PostLink } from './PostLink'

interface PostCellProps {
  post: { id: string; like_count: number; comment_count: number }
  /** Ids of the list that shows the post, in order. */
  list: readonly string[]
  /** What the cell shows of the post. Must be stable across renders. */
  known: KnownPost | undefined
  /** Which of the post's photos and videos are videos. */
  videos: readonly boolean[]
  /** Of the first, if it is a video. */
  durationMs: number | null
  /** The first photo, or the text. */
  children: ReactNode
}

/** A post in a list of photos: opens the post in a modal, and shows its counts on hover and focus (PROF-06, PROF-10, FEED-21). */
export const PostCell = memo(function PostCell({
  post,
  list,
  known,
  videos,
  durationMs,
  children,
}: PostCellProps) {
  const [isHovered, setIsHovered] = useState(false)
  const [isFocused, setIsFocused] = useState(false)
  const { id, like_count: likes, comment_count: comments } = post
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: only shows what the link is described by.
    <div
      onPointerEnter={({ pointerType }) => setIsHovered(pointerType !== 'touch')}
      onPointerLeave={() => setIsHovered(false)}
      onFocus={({ target }) => setIsFocused(target.matches(':focus-visible'))}
      onBlur={() => setIsFocused(false)}
      className="size-full"
    >
      <PostLink
        id={id}
        list={list}
        known={known}
        description={texts.post.counts(likes, comments)}
        className="@container relative block size-full scroll-my-18 overflow-hidden rounded-sm bg-lifted active:brightness-85"
      >
        {children}
        <span className="absolute end-2 top-2 flex items-center gap-2">
          {videos[0] === true && <VideoMark durationMs={durationMs} />}
          {videos.length > 1 && (
            <>
              <Images aria-hidden="true" className="size-5 text-white drop-shadow-md" />
              <span className="sr-only">{texts.post.photos(videos.length, videos)}</span>
            </>
          )}
        </span>
        {(isHovered || isFocused) && (
          <span
            aria-hidden="true"
            className="absolute inset-0 flex flex-wrap transition-opacity duration-150 starting:opacity-0 content-center items-center justify-center gap-x-5 gap-y-1 bg-black/45 font-semibold text-[16px] text-white [&_svg]:size-5 [&_svg]:fill-current"
          >
            <span className="flex items-center gap-1.5">
              <Heart />
              <Count n={likes} />
            </span>
            <span className="flex items-center gap-1.5">
              <MessageCircle />
              <Count n={comments} />
            </span>
          </span>
        )}
      </PostLink>
    </div>
  )
})

/** The text of a post without a photo, as large as its cell allows. */
export function CellText({ children }: { children: string }) {
  return (
    <span className="grid size-full place-items-center p-[7cqi]">
      <span
        dir="auto"
        className="line-clamp-7 text-center font-display text-[clamp(12.5px,7cqi,28px)] leading-snug [overflow-wrap:anywhere]"
      >
        {cellText(children)}
      </span>
    </span>
  )
}

import { Link } from 'react-router-dom'
import { Fold } from '#/renderer/components/Fold'
import { RichText } from '#/renderer/components/RichText'
import { codePoints } from '#/renderer/lib/rich-text'
import type { Post } from '../queries'

/** Texts without a picture up to this length are large, in code points. */
const LARGE_UP_TO = 160

const BUTTON_CLASS = 'py-0.5 text-[15px] text-quiet hover:text-ink'

interface PictureTextProps {
  post: Post
  className?: string
}

/** The text of a post without a picture. */
export function PictureText({ post, className = 'border-y' }: PictureTextProps) {
  const size =
    codePoints(post.content) <= LARGE_UP_TO ? 'px-9 py-10 text-[26px] leading-snug' : 'px-6 py-6 text-[18px]'
  return (
    <div className={`border-line bg-lifted font-display ${size} ${className}`}>
      <Fold id={post.id} text={post.content} place="picture" buttonClass={BUTTON_CLASS}>
        <RichText text={post.content} />
      </Fold>
    </div>
  )
}

interface CaptionProps {
  post: Post
  /** Open posts show more of it than lists. */
  place: 'caption' | 'openCaption'
}

/** The text under a picture, after its author's name. */
export function Caption({ post, place }: CaptionProps) {
  return (
    <Fold id={post.id} text={post.content} place={place} buttonClass={BUTTON_CLASS}>
      <Link
        to={`/profile/${post.author.username}`}
        className="me-0.5 rounded-sm font-semibold underline-offset-3 hover:underline"
      >
        {post.author.username}
      </Link>{' '}
      <RichText text={post.content} />
    </Fold>
  )
}

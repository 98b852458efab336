import { Link } from 'react-router-dom'
import { RichText } from '#/renderer/components/RichText'
import { codePoints } from '#/renderer/lib/rich-text'
import { texts } from '#/renderer/lib/texts'
import { useCardState } from '../card-state'
import type { Post } from '../queries'

/** Longer texts are folded behind 'more', in code points. */
const FOLD_AT = 220

/** Short texts that stand in for a picture are set large. */
const LARGE_UP_TO = 160

interface PostTextProps {
  post: Post
  /** The text stands where a picture would. */
  isPicture?: boolean
}

export function PostText({ post, isPicture = false }: PostTextProps) {
  const [{ isUnfolded }, changeState] = useCardState(post.id)
  const isFolded =
    !isUnfolded && !isPicture && (codePoints(post.content) > FOLD_AT || post.content.split('\n').length > 5)
  if (isPicture) {
    const size =
      codePoints(post.content) <= LARGE_UP_TO
        ? 'px-9 py-10 text-[26px] leading-snug'
        : 'px-6 py-6 text-[18px]'
    return (
      <p className={`border-line border-y bg-sunk font-display ${size}`}>
        <RichText text={post.content} />
      </p>
    )
  }
  return (
    <div className="px-4 pb-2.5">
      <p className={isFolded ? 'line-clamp-3' : ''}>
        <Link
          to={`/profile/${post.author.username}`}
          className="me-1.5 rounded-sm font-semibold underline-offset-3 hover:underline"
        >
          {post.author.username}
        </Link>
        <RichText text={post.content} />
      </p>
      {isFolded && (
        <button
          type="button"
          onClick={() => changeState({ isUnfolded: true })}
          className="rounded-sm py-0.5 text-quiet hover:text-ink"
        >
          {texts.post.more}
        </button>
      )}
    </div>
  )
}

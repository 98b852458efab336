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

/** A text that stands where a picture would. */
export function PictureText({ post }: { post: Post }) {
  const size =
    codePoints(post.content) <= LARGE_UP_TO ? 'px-9 py-10 text-[26px] leading-snug' : 'px-6 py-6 text-[18px]'
  return (
    <p className={`border-line border-y bg-sunk font-display ${size}`}>
      <RichText text={post.content} />
    </p>
  )
}

/** The text under a picture, after its author's name. */
export function Caption({ post }: { post: Post }) {
  return (
    <>
      <Link
        to={`/profile/${post.author.username}`}
        className="me-0.5 rounded-sm font-semibold underline-offset-3 hover:underline"
      >
        {post.author.username}
      </Link>{' '}
      <RichText text={post.content} />
    </>
  )
}

/** A caption in a list: a long one is folded until it is asked for. */
export function FoldedCaption({ post }: { post: Post }) {
  const [{ isUnfolded }, changeState] = useCardState(post.id)
  const isFolded = !isUnfolded && (codePoints(post.content) > FOLD_AT || post.content.split('\n').length > 5)
  return (
    <div className="px-4 pb-2.5">
      <p className={isFolded ? 'line-clamp-3' : ''}>
        <Caption post={post} />
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

import { Link } from 'react-router-dom'
import { Fold } from '#/renderer/components/Fold'
import { isShortText } from '../model'
import type { Post } from '../queries'

const BUTTON_CLASS = 'py-0.5 text-[15px] text-quiet hover:text-ink'

/** The text of a post without a picture. */
export function PictureText({ post }: { post: Post }) {
  const size = isShortText(post.content) ? 'px-9 py-10 text-[26px] leading-snug' : 'px-6 py-6 text-[18px]'
  return (
    <div className={`rounded-md border border-line bg-lifted font-display ${size}`}>
      <Fold id={post.id} text={post.content} place="picture" buttonClass={BUTTON_CLASS} />
    </div>
  )
}

/** The text under a picture, after its author's name. */
export function Caption({ post }: { post: Post }) {
  return (
    <Fold id={post.id} text={post.content} place="caption" buttonClass={BUTTON_CLASS}>
      <Link
        to={`/profile/${post.author.username}`}
        dir="ltr"
        className="rounded-sm font-semibold underline-offset-3 hover:underline"
      >
        {post.author.username}
      </Link>
    </Fold>
  )
}

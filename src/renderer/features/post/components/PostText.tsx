import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import { RichText } from '#/renderer/components/RichText'
import { codePoints } from '#/renderer/lib/rich-text'
import { texts } from '#/renderer/lib/texts'
import { useCardState } from '../card-store'
import type { Post } from '../queries'

/** Where a list folds a text, in code points and in the text's own lines. */
const FOLDS = { caption: { at: 220, lines: 5 }, picture: { at: 700, lines: 14 } } as const

/** Texts without a picture up to this length are large, in code points. */
const LARGE_UP_TO = 160

/** The text of a post without a picture. */
export function PictureText({ post }: { post: Post }) {
  return (
    <TextFrame post={post}>
      <p>
        <RichText text={post.content} />
      </p>
    </TextFrame>
  )
}

/** The same in a list, where a long text is folded. */
export function FoldedPictureText({ post }: { post: Post }) {
  const { isFolded, unfold } = useFold(post, 'picture')
  return (
    <TextFrame post={post}>
      <p className={isFolded ? 'line-clamp-10' : ''}>
        <RichText text={post.content} />
      </p>
      {isFolded && <More onClick={unfold} />}
    </TextFrame>
  )
}

function TextFrame({ post, children }: { post: Post; children: ReactNode }) {
  const size =
    codePoints(post.content) <= LARGE_UP_TO ? 'px-9 py-10 text-[26px] leading-snug' : 'px-6 py-6 text-[18px]'
  return <div className={`border-line border-y bg-sunk font-display ${size}`}>{children}</div>
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

/** A caption in a list; long captions are folded. */
export function FoldedCaption({ post }: { post: Post }) {
  const { isFolded, unfold } = useFold(post, 'caption')
  return (
    <div className="px-4 pb-2.5">
      <p className={isFolded ? 'line-clamp-3' : ''}>
        <Caption post={post} />
      </p>
      {isFolded && <More onClick={unfold} />}
    </div>
  )
}

function useFold(post: Post, kind: keyof typeof FOLDS) {
  const [{ isUnfolded }, changeState] = useCardState(post.id)
  const { at, lines } = FOLDS[kind]
  return {
    isFolded: !isUnfolded && (codePoints(post.content) > at || post.content.split('\n').length > lines),
    unfold: () => changeState({ isUnfolded: true }),
  }
}

function More({ onClick }: { onClick: () => void }) {
  return (
    <button
      type="button"
      onClick={onClick}
      className="rounded-sm py-0.5 font-sans text-[15px] text-quiet hover:text-ink"
    >
      {texts.post.more}
    </button>
  )
}

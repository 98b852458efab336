import { memo } from 'react'
import { Link } from 'react-router-dom'
import { useIsNobody } from '#/renderer/lib/content/mentions'
import { splitRichText, type TextPart } from '#/renderer/lib/content/rich-text'
import { hashtagPath } from '#/renderer/lib/content/topics'
import { hasDirection } from '#/shared/bidi'
import { LongWords } from './LongWords'

const LINK_CLASS = 'font-medium text-accent underline-offset-3 hover:underline'

interface RichTextProps {
  text: string
  /** Classes of mentions, hashtags and links. */
  linkClass?: string
  /** Links look like links but do nothing. */
  isPreview?: boolean
}

/**
 * A member's text with line breaks and indentation. Mentions link to profiles, hashtags to their posts; web addresses open in the browser.
 * Its paragraph has `OWN_DIRECTION`. Drawn again only with other texts: a page of comments with a hundred mentions each was drawn for
 * seconds, with those before it.
 */
export const RichText = memo(function RichText({
  text,
  linkClass = LINK_CLASS,
  isPreview = false,
}: RichTextProps) {
  let at = 0
  return (
    <span className="whitespace-pre-wrap [overflow-wrap:anywhere]">
      {splitRichText(text).map((part) => {
        const key = at
        at += part.text.length
        return <Part key={key} part={part} linkClass={linkClass} isPreview={isPreview} />
      })}
    </span>
  )
})

function Part({ part, linkClass, isPreview }: { part: TextPart } & Required<Omit<RichTextProps, 'text'>>) {
  if (part.kind === 'text')
    return (
      <span>
        <LongWords>{part.text}</LongWords>
      </span>
    )
  // Otherwise '@' and '#' would move to the other end of a name in text of the other direction.
  const dir = part.kind === 'hashtag' ? 'auto' : 'ltr'
  if (isPreview)
    return (
      <span dir={dir} className={linkClass}>
        {part.kind === 'link' ? <AddressText>{part.shown}</AddressText> : part.text}
      </span>
    )
  if (part.kind === 'mention') return <Mention {...part} linkClass={linkClass} />
  if (part.kind === 'hashtag') {
    return (
      <Link to={hashtagPath(part.tag)} dir={dir} className={linkClass}>
        {part.text}
      </Link>
    )
  }
  return (
    <a href={part.url} dir={dir} target="_blank" rel="noopener noreferrer" className={linkClass}>
      <AddressText>{part.shown}</AddressText>
    </a>
  )
}

/** Parts of an address that keep their places; the rest of a longer one is one part. Each takes as long to lay out as a line of text. */
const PIECES_MOST = 40

/** A web address. Otherwise the parts of one in right-to-left letters would change places: its host could seem to be its path. */
export function AddressText({ children }: { children: string }) {
  if (!hasDirection(children)) return <LongWords>{children}</LongWords>
  const pieces = children.split(/([./?#=&:@-]+)/)
  const rest = pieces.splice(PIECES_MOST).join('')
  if (rest !== '') pieces.push(rest)
  let at = 0
  return pieces.map((piece) => {
    const key = at
    at += piece.length + 1
    return (
      <bdi key={key}>
        <LongWords>{piece}</LongWords>
      </bdi>
    )
  })
}

interface MentionProps {
  text: string
  username: string
  linkClass: string
}

function Mention({ text, username, linkClass }: MentionProps) {
  // As wide as the link, so that the text does not move when the answer arrives.
  if (useIsNobody(username))
    return (
      <span dir="ltr" className="font-medium">
        {text}
      </span>
    )
  return (
    <Link to={`/profile/${username}`} dir="ltr" className={linkClass}>
      {text}
    </Link>
  )
}

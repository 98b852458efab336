import { Link } from 'react-router-dom'
import { splitRichText } from '#/renderer/lib/rich-text'

/** A member's text with its line breaks, mentions linked to profiles and addresses opening outside the app. */
export function RichText({ text }: { text: string }) {
  let at = 0
  return (
    <span dir="auto" className="whitespace-pre-line [overflow-wrap:anywhere]">
      {splitRichText(text).map((part) => {
        const key = at
        at += part.text.length
        switch (part.kind) {
          case 'mention':
            return (
              <Link
                key={key}
                to={`/profile/${part.username}`}
                className="font-medium text-accent underline-offset-3 hover:underline"
              >
                {part.text}
              </Link>
            )
          case 'link':
            return (
              <a
                key={key}
                href={part.url}
                target="_blank"
                rel="noopener noreferrer"
                className="font-medium text-accent underline-offset-3 hover:underline"
              >
                {part.text}
              </a>
            )
          default:
            return <span key={key}>{part.text}</span>
        }
      })}
    </span>
  )
}

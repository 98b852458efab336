import type { ReactNode } from 'react'

/** The face of three reactions. */
const FACE = <circle cx="12" cy="12" r="10" fill="#ffcb3d" />
const EYES = (
  <>
    <ellipse cx="8.5" cy="9.8" rx="1.25" ry="1.7" fill="#4a3311" />
    <ellipse cx="15.5" cy="9.8" rx="1.25" ry="1.7" fill="#4a3311" />
  </>
)

/** One drawing for each of REACTIONS, because not every system has a font with these emojis. */
const DRAWINGS: Readonly<Record<string, ReactNode>> = {
  '❤️': (
    <path
      d="M12 21C5.6 16.4 2.4 12.9 2.4 8.9A5.2 5.2 0 0 1 12 6.2a5.2 5.2 0 0 1 9.6 2.7c0 4-3.2 7.5-9.6 12.1Z"
      fill="#e5352b"
    />
  ),
  '👍': (
    <>
      <rect x="2.5" y="10.5" width="4.5" height="10.5" rx="1.4" fill="#3d7fd6" />
      <path
        d="M8 20.2v-9l3.6-7.9c.3-.7 1-1.1 1.7-.9 1.5.3 2.2 1.7 1.9 3.2l-.8 3.6h5.2a2.1 2.1 0 0 1 2.1 2.5l-1.5 7.5a2.3 2.3 0 0 1-2.3 1.8H9a1 1 0 0 1-1-.8Z"
        fill="#ffcb3d"
      />
    </>
  ),
  '😂': (
    <>
      {FACE}
      <path
        d="M6.6 9.9c.9-1.5 2.7-1.5 3.6 0M13.8 9.9c.9-1.5 2.7-1.5 3.6 0"
        fill="none"
        stroke="#4a3311"
        strokeWidth="1.5"
        strokeLinecap="round"
      />
      <path d="M6.8 12.8h10.4a5.2 5.2 0 0 1-10.4 0Z" fill="#4a3311" />
      <path d="M5.6 11.4c-2 1.7-3 3.1-2.3 4.3.8 1.3 2.8.6 2.9-1 .1-1-.1-2-.6-3.3Z" fill="#4aa8f0" />
      <path d="M18.4 11.4c2 1.7 3 3.1 2.3 4.3-.8 1.3-2.8.6-2.9-1-.1-1 .1-2 .6-3.3Z" fill="#4aa8f0" />
    </>
  ),
  '😮': (
    <>
      {FACE}
      {EYES}
      <ellipse cx="12" cy="16" rx="2.5" ry="3.1" fill="#4a3311" />
    </>
  ),
  '😢': (
    <>
      {FACE}
      {EYES}
      <path
        d="M8.8 17.4c1.6-2 4.8-2 6.4 0"
        fill="none"
        stroke="#4a3311"
        strokeWidth="1.6"
        strokeLinecap="round"
      />
      <path d="M16.6 12.6c1.5 2 2.1 3.2 1.5 4.3-.7 1.2-2.5 1.1-3-.2-.4-1.1.3-2.3 1.5-4.1Z" fill="#4aa8f0" />
    </>
  ),
  '🔥': (
    <>
      <path
        d="M12.6 1.8c.4 3.6 6.6 6.6 6.6 12.4a7.2 7.2 0 0 1-14.4 0c0-2.7 1.3-4.6 2.9-6.3.2 1.4.8 2.4 1.9 3 .2-3.6 1-6.7 3-9.1Z"
        fill="#f4762a"
      />
      <path
        d="M12.1 11.2c.3 2 3.3 3.2 3.3 6a3.4 3.4 0 0 1-6.8 0c0-1.2.6-2.2 1.4-3 .2.7.6 1.2 1.1 1.4.1-1.6.3-3 1-4.4Z"
        fill="#ffd43d"
      />
    </>
  ),
}

interface ReactionIconProps {
  emoji: string
  /** Side, e.g. `size-5.5`. */
  className: string
}

/** A reaction as a picture. A reaction that only another version of the app knows is shown as text. */
export function ReactionIcon({ emoji, className }: ReactionIconProps) {
  // A server may send the name of a property that every object has.
  const drawing = Object.hasOwn(DRAWINGS, emoji) ? DRAWINGS[emoji] : undefined
  if (drawing === undefined) return <span aria-hidden="true">{emoji}</span>
  return (
    <svg viewBox="0 0 24 24" aria-hidden="true" className={className}>
      {drawing}
    </svg>
  )
}

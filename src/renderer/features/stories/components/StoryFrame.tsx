import type { ReactNode } from 'react'

/** The upright frame that stories are watched in, and previewed in as they will be watched; always dark. */
export function StoryFrame({ children, className = '' }: { children: ReactNode; className?: string }) {
  return (
    <div className={`relative isolate overflow-hidden bg-black text-white scheme-dark ${className}`}>
      {children}
    </div>
  )
}

/** A still, blurred to what surrounds media of another shape than the frame. */
export function Backdrop({ still }: { still: string }) {
  return (
    <img
      src={still}
      alt=""
      aria-hidden="true"
      draggable={false}
      className="absolute inset-0 size-full scale-120 object-cover opacity-70 blur-2xl saturate-125"
    />
  )
}

/** How media fill the frame: whole and sharp. */
export const MEDIA_CLASS = 'absolute inset-0 size-full object-contain'

/** From these lengths on, in characters, a caption is set smaller, so that it leaves the picture its place. */
const LONG = 90
const VERY_LONG = 240

/** The caption over the media. Long ones scroll. */
export function StoryCaption({ text }: { text: string }) {
  const size =
    text.length > VERY_LONG
      ? 'font-sans text-[15px] leading-normal'
      : text.length > LONG
        ? 'font-display text-[19px] leading-snug'
        : 'font-display text-[26px] leading-tight'
  return (
    <p
      dir="auto"
      className={`max-h-[38cqh] overflow-y-auto overscroll-contain whitespace-pre-wrap break-words px-6 pb-5 [text-shadow:0_1px_12px_#000000b3] ${size}`}
    >
      {text}
    </p>
  )
}

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

import { frameStyle } from '#/renderer/lib/layout/photo-frame'
import { CARD_CLASS } from './post-card'

const SQUARE = { width: null, height: null }

export function PostSkeleton() {
  return (
    <div aria-hidden="true" className={CARD_CLASS}>
      <div className="flex items-center gap-3 py-2.5">
        <div className="size-9.5 animate-breathe rounded-full bg-line" />
        <div className="grid gap-2">
          <div className="h-3 w-28 animate-breathe rounded-sm bg-line" />
          <div className="h-2.5 w-20 animate-breathe rounded-sm bg-line" />
        </div>
      </div>
      <div className="@container">
        <div style={frameStyle([SQUARE])} className="animate-breathe rounded-sm bg-lifted" />
      </div>
      <div className="h-24" />
    </div>
  )
}

import { FRAME_HEIGHT } from '#/renderer/lib/photo-frame'

export function PostSkeleton() {
  return (
    <div
      aria-hidden="true"
      className="mb-6 overflow-hidden rounded-lg border border-line bg-raised shadow-card"
    >
      <div className="flex items-center gap-3 px-3.5 py-3">
        <div className="size-9.5 animate-breathe rounded-full bg-line" />
        <div className="grid gap-2">
          <div className="h-3 w-28 animate-breathe rounded-sm bg-line" />
          <div className="h-2.5 w-20 animate-breathe rounded-sm bg-line" />
        </div>
      </div>
      <div style={{ maxHeight: FRAME_HEIGHT }} className="aspect-square w-full animate-breathe bg-lifted" />
      <div className="h-24" />
    </div>
  )
}

import { texts } from '#/renderer/lib/texts'
import { Button } from './Button'

interface ProgressOverlayProps {
  label: string
  /** From 0 to 1. */
  progress: number
  /** Below the bar, e.g. the time left. */
  detail?: string | undefined
  onCancel: () => void
  className?: string
}

/** Covers a picture or video while it is being prepared. */
export function ProgressOverlay({ label, progress, detail, onCancel, className = '' }: ProgressOverlayProps) {
  return (
    <div className={`absolute inset-0 grid place-items-center bg-sunk/85 p-6 ${className}`}>
      <div className="w-full max-w-56 text-center">
        <p className="mb-2.5 text-[14px]">{label}</p>
        <progress value={progress} aria-label={label} className="h-1.5 w-full" />
        {detail !== undefined && <p className="mt-1.5 min-h-5 text-[13px] text-quiet">{detail}</p>}
        <Button variant="quiet" className="mt-3" onClick={onCancel}>
          {texts.cancel}
        </Button>
      </div>
    </div>
  )
}

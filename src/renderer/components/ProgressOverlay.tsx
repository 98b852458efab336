import { texts } from '#/renderer/lib/texts'
import { Button } from './Button'

interface ProgressOverlayProps {
  label: string
  /** From 0 to 1. */
  progress: number
  /** Below the bar, e.g. the time left. */
  detail?: string | undefined
  onCancel: () => void
  /** A small version of what is being prepared is below, and stays visible. */
  isOverPreview?: boolean
  className?: string
}

/** Covers a picture or video while it is being prepared. */
export function ProgressOverlay({
  label,
  progress,
  detail,
  onCancel,
  isOverPreview = false,
  className = '',
}: ProgressOverlayProps) {
  return (
    <div
      className={`absolute inset-0 grid justify-items-center ${isOverPreview ? 'items-end p-4' : 'items-center bg-sunk/85 p-6'} ${className}`}
    >
      <div
        className={`w-full max-w-56 text-center ${isOverPreview ? 'rounded-md bg-raised/90 px-4 pt-3 pb-1.5' : ''}`}
      >
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

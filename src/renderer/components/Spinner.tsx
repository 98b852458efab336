import { texts } from '#/renderer/lib/texts'

interface SpinnerProps {
  /** Side in pixels. */
  size?: number
  label?: string
}

export function Spinner({ size = 22, label = texts.loading }: SpinnerProps) {
  return (
    <span
      role="status"
      aria-label={label}
      style={{ width: size, height: size }}
      className="inline-block animate-spinner rounded-full border-2 border-line border-t-accent"
    />
  )
}

export function PageSpinner() {
  return (
    <div className="grid min-h-[60vh] place-items-center">
      <Spinner size={30} />
    </div>
  )
}

/** A spinner over the page, while a modal is loaded. */
export function PageSpinnerOverlay() {
  return (
    <div className="fixed inset-0 z-35 grid place-items-center bg-shade">
      <Spinner size={30} />
    </div>
  )
}

import type { ReactNode } from 'react'
import { Button } from '#/renderer/components/Button'

interface SubmitButtonProps {
  isBusy: boolean
  children: ReactNode
}

/** Submits the form; disabled while the request is in flight. */
export function SubmitButton({ isBusy, children }: SubmitButtonProps) {
  return (
    <Button variant="primary" type="submit" className="mt-1.5 h-11 w-full" disabled={isBusy}>
      {children}
    </Button>
  )
}

interface QuietButtonProps {
  onClick: () => void
  children: ReactNode
}

/** A secondary action below the form. */
export function QuietButton({ onClick, children }: QuietButtonProps) {
  return (
    <button
      type="button"
      onClick={onClick}
      className="justify-self-center rounded-sm px-1 py-1 text-[13.5px] text-quiet hover:text-ink"
    >
      {children}
    </button>
  )
}

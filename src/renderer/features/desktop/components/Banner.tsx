import type { ReactNode } from 'react'
import { Button } from '#/renderer/components/Button'

interface BannerProps {
  text: string
  /** Buttons. */
  children?: ReactNode
}

/** A banner above the page. */
export function Banner({ text, children }: BannerProps) {
  return (
    <div
      data-notice
      className="flex flex-wrap items-center justify-center gap-x-4 gap-y-1 border-line border-b bg-accent-wash px-4 py-1.5"
    >
      <span>{text}</span>
      {children != null && <span className="flex flex-wrap gap-1">{children}</span>}
    </div>
  )
}

interface BannerButtonProps {
  /** The primary action. */
  isFirst?: boolean
  disabled?: boolean
  onClick: () => void
  children: ReactNode
}

export function BannerButton({ isFirst = false, ...rest }: BannerButtonProps) {
  return (
    <Button
      variant="quiet"
      className={`h-8! px-3! text-[14px]! ${isFirst ? 'text-accent!' : ''}`}
      {...rest}
    />
  )
}

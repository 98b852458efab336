import type { ComponentProps } from 'react'

interface IconButtonProps extends ComponentProps<'button'> {
  /** What it does, for screen readers and as a tooltip. */
  label: string
}

/** A 40 px square button that shows an icon only. */
export function IconButton({ label, className = '', type = 'button', ...rest }: IconButtonProps) {
  return (
    <button
      type={type}
      aria-label={label}
      title={label}
      className={`relative grid size-10 shrink-0 place-items-center rounded-md text-ink transition-colors duration-150 hover:bg-sunk disabled:pointer-events-none disabled:opacity-45 [&_svg]:size-5.5 [&_svg]:stroke-[1.75] ${className}`}
      {...rest}
    />
  )
}

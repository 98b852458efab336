import type { ComponentProps } from 'react'

const SIZES = {
  large: 'size-10 [&_svg]:size-5.5 [&_svg]:stroke-[1.75]',
  medium: 'size-9 [&_svg]:size-4.5',
  small: 'size-7 [&_svg]:size-4',
} as const

interface IconButtonProps extends ComponentProps<'button'> {
  /** Accessible name and tooltip. */
  label: string
  size?: keyof typeof SIZES
}

export function IconButton({
  label,
  size = 'large',
  className = '',
  type = 'button',
  ...rest
}: IconButtonProps) {
  return (
    <button
      type={type}
      aria-label={label}
      title={label}
      className={`relative grid shrink-0 place-items-center rounded-md transition-colors duration-150 hover:bg-sunk active:bg-line disabled:pointer-events-none disabled:opacity-45 ${SIZES[size]} ${className}`}
      {...rest}
    />
  )
}

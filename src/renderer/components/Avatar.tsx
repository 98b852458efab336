interface AvatarProps {
  username: string
  src: string | null
  /** Side in pixels. */
  size: number
  className?: string
}

/**
 * A member's picture, or the first letter of their username. Hidden from screen readers, because the name is next to
 * it.
 */
export function Avatar({ username, src, size, className = '' }: AvatarProps) {
  const style = { width: size, height: size, fontSize: size * 0.42 }
  if (src !== null) {
    return (
      <img
        src={src}
        alt=""
        width={size}
        height={size}
        style={style}
        draggable={false}
        className={`shrink-0 rounded-full bg-sunk object-cover outline-1 outline-ink/10 -outline-offset-1 ${className}`}
      />
    )
  }
  return (
    <span
      aria-hidden="true"
      style={style}
      className={`grid shrink-0 select-none place-items-center rounded-full bg-line font-display font-semibold text-quiet ${className}`}
    >
      {[...username][0]?.toUpperCase()}
    </span>
  )
}

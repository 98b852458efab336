import { useState } from 'react'
import { useMediaUrls } from '#/renderer/lib/media-store'

/** A member with their picture: a path in Storage, a data URL, or neither. */
export interface AvatarMember {
  username: string
  avatar_url: string | null
  avatar_path: string | null
}

interface AvatarProps {
  member: AvatarMember
  /** Side in pixels. */
  size: number
  className?: string
}

/**
 * A member's picture, or the first letter of their username. Hidden from screen readers, because the name is next to
 * it.
 */
export function Avatar({ member, size, className = '' }: AvatarProps) {
  const { avatar_path: path, avatar_url: url, username } = member
  if (path !== null) return <StoredAvatar key={path} {...{ path, username, size, className }} />
  if (url !== null) return <AvatarImage src={url} size={size} className={className} />
  return <Letter username={username} size={size} className={className} />
}

interface StoredAvatarProps {
  path: string
  username: string
  size: number
  className: string
}

/** A picture in Storage. */
function StoredAvatar({ path, username, size, className }: StoredAvatarProps) {
  const { urls, isPending, signAgain } = useMediaUrls([path])
  const [attempt, setAttempt] = useState<'first' | 'second' | 'failed'>('first')
  const url = urls[path]
  if (attempt === 'failed' || (url === undefined && !isPending))
    return <Letter username={username} size={size} className={className} />
  // While the link is loading, show no letter: the picture would replace it a moment later.
  if (url === undefined) return <Letter username="" size={size} className={className} />
  const handleError = () => {
    if (attempt === 'second') setAttempt('failed')
    else void signAgain().then(() => setAttempt('second'))
  }
  return <AvatarImage key={attempt} src={url} size={size} className={className} onError={handleError} />
}

interface AvatarImageProps {
  src: string
  size: number
  className: string
  onError?: () => void
}

function AvatarImage({ src, size, className, onError }: AvatarImageProps) {
  return (
    <img
      src={src}
      alt=""
      width={size}
      height={size}
      style={{ width: size, height: size, fontSize: size * 0.42 }}
      draggable={false}
      onError={onError}
      className={`shrink-0 rounded-full bg-sunk object-cover outline-1 outline-ink/10 -outline-offset-1 ${className}`}
    />
  )
}

interface LetterProps {
  username: string
  size: number
  className: string
}

function Letter({ username, size, className }: LetterProps) {
  return (
    <span
      aria-hidden="true"
      style={{ width: size, height: size, fontSize: size * 0.42 }}
      className={`grid shrink-0 select-none place-items-center rounded-full bg-line font-display font-semibold text-quiet ${className}`}
    >
      {[...username][0]?.toUpperCase()}
    </span>
  )
}

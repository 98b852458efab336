import { useState } from 'react'
import { type PictureSize, useMediaUrls } from '#/renderer/lib/media-store'
import { CheckedPicture } from './lazy-checked-picture'

/** A member with their picture: a path in Storage, a data URL, or neither. */
export interface AvatarMember {
  username: string
  avatar_url: string | null
  avatar_path: string | null
}

/** Of the letter, and of the alternative text, in pixels: like other texts not below 12.5. */
const letterSize = (side: number) => Math.max(12.5, side * 0.42)

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
  const { links, isPending, signAgain } = useMediaUrls([path])
  const [attempt, setAttempt] = useState<'first' | 'second' | 'failed'>('first')
  const link = links[path]
  if (attempt === 'failed' || (link === undefined && !isPending))
    return <Letter username={username} size={size} className={className} />
  // While the link is loading, show no letter: the picture would replace it a moment later.
  if (link === undefined) return <Letter username="" size={size} className={className} />
  if (!link.isChecked) return <CheckedAvatar {...{ path, username, size, className }} />
  const handleError = () => {
    if (attempt === 'second') setAttempt('failed')
    else void signAgain().then(() => setAttempt('second'))
  }
  return <AvatarImage key={attempt} src={link.url} size={size} className={className} onError={handleError} />
}

/** A picture in Storage that the server has not checked. */
function CheckedAvatar({ path, username, size, className }: StoredAvatarProps) {
  const [broken, setBroken] = useState<string>()
  const stored: readonly PictureSize[] = [{ path, width: size, use: 'avatar' }]
  return (
    <CheckedPicture stored={stored} sizes={`${size}px`}>
      {({ url, isRefused }) => {
        const hasFailed = isRefused || (url !== undefined && url === broken)
        if (hasFailed || url === undefined)
          return <Letter username={hasFailed ? username : ''} size={size} className={className} />
        return <AvatarImage src={url} size={size} className={className} onError={() => setBroken(url)} />
      }}
    </CheckedPicture>
  )
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
      style={{ width: size, height: size, fontSize: letterSize(size) }}
      draggable={false}
      onError={onError}
      className={`shrink-0 rounded-full bg-lifted object-cover outline-1 outline-ink/10 -outline-offset-1 ${className}`}
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
      style={{ width: size, height: size, fontSize: letterSize(size) }}
      className={`grid shrink-0 select-none place-items-center rounded-full bg-line font-display font-semibold text-quiet ${className}`}
    >
      {[...username][0]?.toUpperCase()}
    </span>
  )
}

import { useQueryClient } from '@tanstack/react-query'
import { type MouseEvent, type ReactNode, useRef } from 'react'
import { Link, useLocation, useNavigate } from 'react-router-dom'
import { useMe } from '#/renderer/features/auth'
import { listAround, withPost } from '../address'
import { setCardState } from '../card-store'
import { growPhoto } from '../grow-photo'
import { type KnownPost, setKnownPost, useKnownPost } from '../known-posts'
import { prefetchPost } from '../queries'
import { PostModal } from './PostModal'

interface PostLinkProps {
  id: string
  /** Ids of the list that shows the post, in order: the light table steps through them. */
  list: readonly string[]
  /** What the link shows of the post: the light table shows it at once. Must be stable across renders. */
  known?: KnownPost | undefined
  /** Describes the link to screen readers. */
  description?: string
  className?: string
  children: ReactNode
}

/** Opens a post on the light table. */
export function PostLink({ id, list, known, description, className, children }: PostLinkProps) {
  const { search } = useLocation()
  const client = useQueryClient()
  const prefetch = usePrefetch(id)
  const open = useOpenPost()
  useKnownPost(id, known)

  const handleClick = (event: MouseEvent<HTMLAnchorElement>) => {
    const { button, metaKey, ctrlKey, shiftKey, altKey } = event
    if (button !== 0 || metaKey || ctrlKey || shiftKey || altKey) return
    event.preventDefault()
    setKnownPost(client, id, known)
    if (known !== undefined) setCardState(id, { photo: 0 })
    open(id, list, event.currentTarget.querySelector('img'))
  }
  return (
    <Link
      to={{ search: withPost(search, id) }}
      state={listAround(list, id)}
      onClick={handleClick}
      {...prefetch}
      aria-description={description}
      className={className}
    >
      {children}
    </Link>
  )
}

/** Opens a post of a list on the light table. */
export function useOpenPost() {
  const { search } = useLocation()
  const navigate = useNavigate()
  /** @param photo the photo that grows into its frame there; null if there is none */
  return (id: string, list: readonly string[], photo: HTMLElement | null) =>
    growPhoto(photo, () => void navigate({ search: withPost(search, id) }, { state: listAround(list, id) }))
}

/** A pointer that only passes reads nothing, in milliseconds. */
const REST_MS = 60

/**
 * For elements that open a post: reads it, its comments and the light table's code when the member
 * points at one or focuses it.
 */
export function usePrefetch(id: string) {
  const client = useQueryClient()
  const { id: me } = useMe()
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const prefetch = () => {
    prefetchPost(client, me, id)
    PostModal.load()
      .then(() => import('../comments/queries'))
      .then(({ prefetchComments }) => prefetchComments(client, me, id))
      // The light table tries again, and reports the failure.
      .catch(() => undefined)
  }
  const wait = () => {
    timer.current = setTimeout(prefetch, REST_MS)
  }
  return { onPointerEnter: wait, onPointerLeave: () => clearTimeout(timer.current), onFocus: wait }
}

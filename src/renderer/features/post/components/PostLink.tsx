import type { ReactNode } from 'react'
import { Link, useLocation, useNavigate } from 'react-router-dom'
import { listAround, withPost } from '../address'

interface PostLinkProps {
  id: string
  /** Ids of the list that shows the post, in order: the dialog steps through them. */
  list: readonly string[]
  className?: string
  children: ReactNode
}

/** Opens a post over the page. */
export function PostLink({ id, list, className, children }: PostLinkProps) {
  const { search } = useLocation()
  return (
    <Link to={{ search: withPost(search, id) }} state={listAround(list, id)} className={className}>
      {children}
    </Link>
  )
}

/** Opens a post of a list over the page. */
export function useOpenPost() {
  const { search } = useLocation()
  const navigate = useNavigate()
  return (id: string, list: readonly string[]) =>
    void navigate({ search: withPost(search, id) }, { state: listAround(list, id) })
}

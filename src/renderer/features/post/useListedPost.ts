import { useEffect } from 'react'
import { type Post, usePostQuery } from './queries'

/** A post of a list, and tells the list when it is deleted or hidden. `onGone` must be stable across renders. */
export function useListedPost(id: string, onGone: (id: string) => void): Post | null | undefined {
  const { data: post } = usePostQuery(id)
  const isGone = post === null
  useEffect(() => {
    if (isGone) onGone(id)
  }, [isGone, id, onGone])
  return post
}

import { useCallback } from 'react'
import { type To, useSearchParams } from 'react-router-dom'

/** Gives links to the page one is on with one more thing in its address, such as a post or a list over it. */
export function useSearchLink(): (name: string, value: string) => To {
  const [params] = useSearchParams()
  return useCallback(
    (name, value) => {
      const next = new URLSearchParams(params)
      next.set(name, value)
      return { search: `?${next}` }
    },
    [params],
  )
}

import { useState } from 'react'
import { type Location, useLocation, useNavigate } from 'react-router-dom'

/** What the address opens over the page: `?people=followers`, `?likes=POST`, `?post=ID`, `?story=ID`. */
export type ModalParam = 'people' | 'likes' | 'post' | 'story'

/** What the address opens over the page; null for nothing. It may be no id at all. */
export function readModalParam(search: string, part: ModalParam): string | null {
  return new URLSearchParams(search).get(part)
}

/** The part of an address behind its path with this open over the page, or with null closed; what else stands there stays. */
export function withModalParam(search: string, part: ModalParam, value: string | null): string {
  const parameters = new URLSearchParams(search)
  if (value === null) parameters.delete(part)
  else parameters.set(part, value)
  return parameters.size === 0 ? '' : `?${parameters}`
}

function isOpenedHere(state: unknown, part: ModalParam): boolean {
  return typeof state === 'object' && state !== null && 'over' in state && state.over === part
}

/** What a link to the page one is on needs to open something over it: all else of the address stays. */
export function modalLink({ search, state }: Location<unknown>, part: ModalParam, value: string) {
  const rest = typeof state === 'object' ? state : null
  return { to: { search: withModalParam(search, part, value) }, state: { ...rest, over: part } }
}

/** What the address opens over the page, null for nothing, and how to close it: by going back, if one came from here. */
export function useModalParam(part: ModalParam): [value: string | null, close: () => void] {
  const { search, state, key } = useLocation()
  const navigate = useNavigate()
  // History takes its time: what is closed is gone at once, and nobody goes back twice.
  const [closed, setClosed] = useState<string | null>(null)
  const value = closed === key ? null : readModalParam(search, part)
  const close = () => {
    setClosed(key)
    if (isOpenedHere(state, part)) return void navigate(-1)
    void navigate({ search: withModalParam(search, part, null) }, { replace: true })
  }
  return [value, close]
}

import { useState } from 'react'
import { type Location, useLocation, useNavigate } from 'react-router-dom'

/** A list that the address opens over the page, such as `?people=followers` or `?likes=<post>`. */
export type AddressPart = 'people' | 'likes'

function isOpenedHere(state: unknown, part: AddressPart): boolean {
  return typeof state === 'object' && state !== null && 'over' in state && state.over === part
}

/** What a link to the page one is on needs to open something over it: all else of the address stays. */
export function linkOver({ search, state }: Location<unknown>, part: AddressPart, value: string) {
  const parameters = new URLSearchParams(search)
  parameters.set(part, value)
  const rest = typeof state === 'object' ? state : null
  return { to: { search: `?${parameters}` }, state: { ...rest, over: part } }
}

/** What the address opens over the page, null for nothing, and how to close it: by going back, if one came from here. */
export function useAddressPart(part: AddressPart): [value: string | null, close: () => void] {
  const { search, state, key } = useLocation()
  const navigate = useNavigate()
  // History takes its time: what is closed is gone at once, and nobody goes back twice.
  const [closed, setClosed] = useState<string | null>(null)
  const parameters = new URLSearchParams(search)
  const value = closed === key ? null : parameters.get(part)
  const close = () => {
    setClosed(key)
    if (isOpenedHere(state, part)) return void navigate(-1)
    parameters.delete(part)
    void navigate({ search: `?${parameters}` }, { replace: true })
  }
  return [value, close]
}

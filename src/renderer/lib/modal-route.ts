import { useState } from 'react'
import { type Location, useLocation, useNavigate } from 'react-router-dom'

/** Search parameters that open a modal over the page: `?people=followers`, `?likes=POST`, `?post=ID`, `?story=ID`. */
export type ModalParam = 'people' | 'likes' | 'post' | 'story'

/** Reads the parameter, or null. The value comes from the address and may not be a valid id. */
export function readModalParam(search: string, param: ModalParam): string | null {
  return new URLSearchParams(search).get(param)
}

/** Returns the search string with the modal open, or closed for null. Other parameters stay. */
export function withModalParam(search: string, param: ModalParam, value: string | null): string {
  const parameters = new URLSearchParams(search)
  if (value === null) parameters.delete(param)
  else parameters.set(param, value)
  return parameters.size === 0 ? '' : `?${parameters}`
}

function isOpenedHere(state: unknown, param: ModalParam): boolean {
  return typeof state === 'object' && state !== null && 'over' in state && state.over === param
}

/** Props of a link that opens a modal over the current page. Other parameters stay. */
export function modalLink({ search, state }: Location<unknown>, param: ModalParam, value: string) {
  const rest = typeof state === 'object' ? state : null
  return { to: { search: withModalParam(search, param, value) }, state: { ...rest, over: param } }
}

/**
 * Returns the parameter's value, or null, and a function that closes the modal: it goes back if the modal was opened
 * from a link here.
 */
export function useModalParam(param: ModalParam): [value: string | null, close: () => void] {
  const { search, state, key } = useLocation()
  const navigate = useNavigate()
  // Navigation is asynchronous: hide the modal immediately, and never go back twice.
  const [closed, setClosed] = useState<string | null>(null)
  const value = closed === key ? null : readModalParam(search, param)
  const close = () => {
    setClosed(key)
    if (isOpenedHere(state, param)) return void navigate(-1)
    void navigate({ search: withModalParam(search, param, null) }, { replace: true })
  }
  return [value, close]
}

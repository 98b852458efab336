import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { type Location, useLocation, useNavigate } from 'react-router-dom'

/** Search parameters that open a modal over the page: `?people=followers`, `?likes=POST`, `?post=ID`, `?story=ID`. */
const PARAMS = ['people', 'likes', 'post', 'story'] as const
export type ModalParam = (typeof PARAMS)[number]

/** Reads the parameter, or null. The value comes from the address and may not be a valid id. */
export function readModalParam(search: string, param: ModalParam): string | null {
  return new URLSearchParams(search).get(param)
}

/** Whether a modal is open over the page. */
export function hasModal(search: string): boolean {
  return PARAMS.some((param) => readModalParam(search, param) !== null)
}

/** Returns the search string with the modal open, or closed for null. Other parameters stay. */
export function withModalParam(search: string, param: ModalParam, value: string | null): string {
  const parameters = new URLSearchParams(search)
  // The comment of a link belongs to its post.
  if (param === 'post') parameters.delete('comment')
  if (value === null) parameters.delete(param)
  else parameters.set(param, value)
  return parameters.size === 0 ? '' : `?${parameters}`
}

/** The state of a history entry that opens a modal over the entry before it, with other fields of its state. */
export function modalState<T extends object>(param: ModalParam, rest?: T): T & { over: ModalParam } {
  return { ...rest, over: param } as T & { over: ModalParam }
}

function isOpenedHere(state: unknown, param: ModalParam): boolean {
  return typeof state === 'object' && state !== null && 'over' in state && state.over === param
}

/** Props of a link that opens a modal over the current page. Other parameters and fields of the state stay. */
export function modalLink({ search, state }: Location<unknown>, param: ModalParam, value: string) {
  const rest = typeof state === 'object' && state !== null ? state : {}
  return { to: { search: withModalParam(search, param, value) }, state: modalState(param, rest) }
}

interface ModalRoute {
  /** The parameter's value; null if the modal is closed. */
  value: string | null
  /** Closes the modal: goes back if a link of this page opened it, and else removes the parameter. */
  close: () => void
  /** Props of the dialog's root. */
  root: { open: boolean; onOpenChange: (isOpen: boolean) => void }
}

/** The modal that this parameter opens over the page. */
export function useModalRoute(param: ModalParam): ModalRoute {
  const { search, state, key } = useLocation()
  const navigate = useNavigate()
  // Navigation is asynchronous: hide the modal immediately, and never go back twice.
  const [closed, setClosed] = useState<string | null>(null)
  // Set at once, unlike the state: two events may close the modal before the next render.
  const closing = useRef<string | null>(null)
  const value = closed === key ? null : readModalParam(search, param)
  const close = () => {
    if (closing.current === key) return
    closing.current = key
    setClosed(key)
    if (isOpenedHere(state, param)) void navigate(-1)
    else void navigate({ search: withModalParam(window.location.search, param, null) }, { replace: true })
  }
  const handleOpenChange = (isOpen: boolean) => {
    if (!isOpen) close()
  }
  return { value, close, root: { open: value !== null, onOpenChange: handleOpenChange } }
}

/** Calls back with the value that a modal showed last, once it has closed, if that is not the one it opened with. */
export function useModalReturn(param: ModalParam, onReturn: (value: string) => void): void {
  const value = readModalParam(useLocation().search, param)
  const shown = useRef({ first: value, last: value })
  const handleReturn = useEffectEvent(onReturn)
  useEffect(() => {
    const { first, last } = shown.current
    if (value === null && last !== null && last !== first) handleReturn(last)
    shown.current = { first: value === null ? null : (first ?? value), last: value }
  }, [value])
}

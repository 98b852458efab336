import { type RefObject, useLayoutEffect, useRef, useState } from 'react'

/** The element that had the focus when a dialog opened. For an item of a menu, which has closed, the menu's button. */
function findOpener(): Element | null {
  const focused = document.activeElement
  const menu = focused?.closest('[role=menu]')
  return menu == null ? focused : document.getElementById(menu.getAttribute('aria-labelledby') ?? '')
}

/**
 * Whether another element has been focused since. The callback runs shortly after the dialog or menu closed, when the
 * member may already type elsewhere. A dialog's frame has a negative tabIndex and does not count; a post of the feed does.
 */
function isFocusTaken(): boolean {
  const focused = document.activeElement
  if (!(focused instanceof HTMLElement) || focused === document.body) return false
  return focused.tabIndex >= 0 || focused.matches('[data-post]')
}

/** `onCloseAutoFocus` of a popup: focuses its trigger unless another element took the focus. */
export function returnFocusToTrigger(event: Event): void {
  if (isFocusTaken()) event.preventDefault()
}

/** The post with this element, and those after and before it, which stay when it is deleted. */
function postsAround(element: Element | null): (Element | undefined)[] {
  const posts = [...document.querySelectorAll('[data-post]')]
  const at = posts.findIndex((post) => post.contains(element))
  return at === -1 ? [] : [posts[at], posts[at + 1], posts[at - 1]]
}

/** The element that the page marks with `data-focus-fallback`, or else its main content. */
export function findPage(): HTMLElement | null {
  const marked = document.querySelector<HTMLElement>('[data-focus-fallback]')
  if (marked !== null) return marked
  const main = document.querySelector('main')
  if (main !== null) main.tabIndex = -1
  return main
}

function focusPage(): void {
  findPage()?.focus({ preventScroll: true })
}

/**
 * `onCloseAutoFocus` of a dialog without a trigger: focuses the element that opened it. If that was removed, its post, the post that
 * follows, or the page.
 */
export function useFocusReturn(): (event: Event) => void {
  const [opener] = useState(findOpener)
  const [around] = useState(() => postsAround(opener))
  return (event) => {
    event.preventDefault()
    if (opener === document.body || isFocusTaken()) return
    const target = [opener, ...around].find((each) => each?.isConnected)
    if (target instanceof HTMLElement) target.focus({ preventScroll: true })
    // A closed menu leaves an opener that takes no focus.
    if (document.activeElement === document.body) focusPage()
  }
}

/**
 * Moves the focus from a removed item of a list to the one that takes its place. Items have `data-item` with their id, and contain one
 * control.
 */
export function useFocusInList(list: RefObject<HTMLElement | null>, ids: readonly string[]) {
  const focused = useRef<{ id: string; index: number } | null>(null)
  useLayoutEffect(() => {
    if (focused.current === null || ids.includes(focused.current.id)) return
    const id = ids[Math.min(focused.current.index, ids.length - 1)]
    focused.current = null
    if (document.activeElement !== document.body) return
    const item = list.current?.querySelector<HTMLElement>(`[data-item="${id}"] :is(a, button)`)
    if (item == null) focusPage()
    else item.focus({ preventScroll: true })
  }, [list, ids])
  return ({ target }: { target: Element }) => {
    const id = target.closest('[data-item]')?.getAttribute('data-item')
    focused.current = id == null ? null : { id, index: ids.indexOf(id) }
  }
}

/**
 * The ref of a control that is disabled while it works. A disabled element loses the focus; this one gets it back
 * afterwards, unless another element has been focused.
 */
export function useFocusKept<T extends HTMLElement>(isDisabled: boolean): RefObject<T | null> {
  const control = useRef<T>(null)
  const hadFocus = useRef(false)
  useLayoutEffect(() => {
    if (isDisabled) {
      // The browser takes the focus away after this.
      hadFocus.current = document.activeElement === control.current
    } else if (hadFocus.current) {
      hadFocus.current = false
      if (!isFocusTaken()) control.current?.focus({ preventScroll: true })
    }
  }, [isDisabled])
  return control
}

/** How many frames to wait for the element to be rendered. */
const FRAMES = 20

/** Focuses an element of a virtual list as soon as the list has rendered it. */
export function focusWhenRendered(find: () => HTMLElement | null | undefined): void {
  let frames = FRAMES
  const attempt = () => {
    const element = find()
    if (element != null) element.focus({ preventScroll: true })
    else if (frames-- > 0) requestAnimationFrame(attempt)
  }
  attempt()
}

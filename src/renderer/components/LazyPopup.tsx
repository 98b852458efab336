import {
  type KeyboardEvent,
  type MouseEvent,
  type ReactElement,
  type ReactNode,
  useRef,
  useState,
} from 'react'
import { logFailure } from '#/renderer/lib/logger'

/** What the trigger of a popup must hand on to its button. */
interface TriggerProps {
  'aria-haspopup'?: 'menu' | 'dialog'
  'aria-expanded'?: boolean
  onClick?: (event: MouseEvent) => void
  onKeyDown?: (event: KeyboardEvent) => void
  onPointerEnter?: () => void
  onFocus?: () => void
}

/** What a loaded popup gets: it draws the trigger itself, and opens at once. */
export interface PopupProps {
  trigger: ReactElement
  /** The first opening came from the keyboard, which looks for the focus on the first item. */
  isByKeyboard: boolean
}

interface LazyPopupProps<M> {
  kind: 'menu' | 'dialog'
  /** Draws the button, the same before and after. */
  trigger: (props: TriggerProps) => ReactElement
  load: () => Promise<M>
  children: (module: M, props: PopupProps) => ReactNode
}

/**
 * The button of a menu or a popover whose code is loaded when it is first wanted: what draws and places popups would be
 * a tenth of the first load, and nobody opens one before the page is there. When it cannot be loaded, the next press
 * tries again.
 */
export function LazyPopup<M>({ kind, trigger, load, children }: LazyPopupProps<M>) {
  const [loaded, setLoaded] = useState<{ module: M; isByKeyboard: boolean } | null>(null)
  const loading = useRef<Promise<M> | null>(null)
  if (loaded !== null) {
    return children(loaded.module, { trigger: trigger({}), isByKeyboard: loaded.isByKeyboard })
  }

  const handleApproach = () => {
    loading.current ??= load()
    loading.current.catch((cause: unknown) => {
      loading.current = null
      logFailure('load popup', cause)
    })
  }
  const open = (isByKeyboard: boolean) => {
    handleApproach()
    // What did not load has been logged; the button stays as it is.
    loading.current?.then((module) => setLoaded({ module, isByKeyboard })).catch(() => undefined)
  }
  const handleKeyDown = (event: KeyboardEvent) => {
    if (kind !== 'menu' || event.key !== 'ArrowDown') return
    event.preventDefault()
    open(true)
  }
  return trigger({
    'aria-haspopup': kind,
    'aria-expanded': false,
    // A click without a count of clicks is a key's.
    onClick: ({ detail }) => open(detail === 0),
    onKeyDown: handleKeyDown,
    onPointerEnter: handleApproach,
    onFocus: handleApproach,
  })
}

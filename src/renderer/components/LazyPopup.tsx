import {
  type KeyboardEvent,
  type MouseEvent,
  type ReactElement,
  type ReactNode,
  useRef,
  useState,
} from 'react'
import { logFailure } from '#/renderer/lib/core/logger'

/** Props that the trigger passes on to its button. */
interface TriggerProps {
  'aria-haspopup'?: 'menu' | 'dialog'
  'aria-expanded'?: boolean
  onClick?: (event: MouseEvent) => void
  onKeyDown?: (event: KeyboardEvent) => void
  onPointerEnter?: () => void
  onFocus?: () => void
}

/** Props of a loaded popup: it renders the trigger itself and opens immediately. */
export interface PopupProps {
  trigger: ReactElement
  /** The popup was opened with the keyboard, so the first item takes the focus. */
  isByKeyboard: boolean
}

interface LazyPopupProps<M> {
  kind: 'menu' | 'dialog'
  /** Renders the button, the same before and after loading. */
  trigger: (props: TriggerProps) => ReactElement
  load: () => Promise<M>
  children: (module: M, props: PopupProps) => ReactNode
}

/**
 * The button of a menu or popover whose code is loaded on first use: positioning code would be a tenth of the first
 * load. If loading fails, the next press tries again.
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
    // The failure has been logged; the next press tries again.
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
    // A click with detail 0 comes from the keyboard.
    onClick: ({ detail }) => open(detail === 0),
    onKeyDown: handleKeyDown,
    onPointerEnter: handleApproach,
    onFocus: handleApproach,
  })
}

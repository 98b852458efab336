import { DropdownMenu } from 'radix-ui'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { returnFocusToTrigger } from '#/renderer/lib/browser/focus'
import type { PopupProps } from './LazyPopup'
import { MENU_CLASS } from './menu'

interface DropMenuProps extends PopupProps {
  /** Where it opens, if there is room. */
  side?: 'bottom' | 'right'
  sideOffset?: number
  className?: string
  children: ReactNode
}

/** A drop-down menu that is open on its first render, for `LazyPopup`. */
export function DropMenu({
  trigger,
  isByKeyboard,
  side = 'bottom',
  sideOffset = 4,
  className = '',
  children,
}: DropMenuProps) {
  const [isFirst, setIsFirst] = useState(true)
  return (
    <DropdownMenu.Root defaultOpen onOpenChange={() => setIsFirst(false)}>
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          side={side}
          align="end"
          sideOffset={sideOffset}
          onCloseAutoFocus={returnFocusToTrigger}
          className={`${MENU_CLASS} ${className}`}
        >
          {children}
          {isFirst && isByKeyboard && <FocusFirstItem />}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  )
}

/** The menu was not mounted yet when the key that opened it was pressed. */
function FocusFirstItem() {
  const place = useRef<HTMLSpanElement>(null)
  useEffect(() => {
    place.current?.closest('[role=menu]')?.querySelector<HTMLElement>('[role=menuitem]')?.focus()
  }, [])
  return <span ref={place} hidden />
}

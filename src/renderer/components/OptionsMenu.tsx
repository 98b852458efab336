import { Ellipsis } from 'lucide-react'
import { DropdownMenu } from 'radix-ui'
import type { ReactNode } from 'react'
import { returnFocusToTrigger } from '#/renderer/lib/browser/focus'
import { IconButton } from './IconButton'
import { MENU_CLASS } from './menu'

interface OptionsMenuProps {
  /** Accessible name of the button. */
  label: string
  className?: string
  tabIndex?: number
  children: ReactNode
}

/** A three-dot menu. */
export function OptionsMenu({ label, className = '', tabIndex = 0, children }: OptionsMenuProps) {
  return (
    <DropdownMenu.Root>
      <DropdownMenu.Trigger asChild>
        <IconButton label={label} className={className} tabIndex={tabIndex}>
          <Ellipsis />
        </IconButton>
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          align="end"
          sideOffset={4}
          onCloseAutoFocus={returnFocusToTrigger}
          className={MENU_CLASS}
        >
          {children}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  )
}

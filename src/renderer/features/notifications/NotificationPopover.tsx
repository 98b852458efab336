import { Popover } from 'radix-ui'
import { type ReactElement, useState } from 'react'
import { returnFocusToTrigger } from '#/renderer/lib/focus'
import { texts } from '#/renderer/lib/texts'
import { NotificationList } from './NotificationList'

/** The popover, open on its first render, for `LazyPopup`. */
export function NotificationPopover({ trigger }: { trigger: ReactElement }) {
  const [isOpen, setIsOpen] = useState(true)
  return (
    <Popover.Root open={isOpen} onOpenChange={setIsOpen}>
      <Popover.Trigger asChild>{trigger}</Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          align="end"
          sideOffset={6}
          collisionPadding={12}
          aria-label={texts.notifications.title}
          onCloseAutoFocus={returnFocusToTrigger}
          className="z-50 w-[min(380px,calc(100vw-24px))] animate-appear overflow-hidden rounded-lg border border-line bg-raised shadow-card"
        >
          <NotificationList onClose={() => setIsOpen(false)} />
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  )
}

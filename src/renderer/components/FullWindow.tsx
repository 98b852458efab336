import { X } from 'lucide-react'
import { Dialog } from 'radix-ui'
import type { ReactNode } from 'react'
import { returnFocusToTrigger } from '#/renderer/lib/browser/focus'
import { texts } from '#/renderer/lib/texts'
import { IconButton } from './IconButton'

interface FullWindowProps {
  /** Accessible name. */
  title: string
  children: ReactNode
}

/** Full-window content of a dialog, dark in both modes, with a close button in the corner. */
export function FullWindow({ title, children }: FullWindowProps) {
  return (
    <Dialog.Portal>
      <Dialog.Content
        aria-describedby={undefined}
        onCloseAutoFocus={returnFocusToTrigger}
        className="scheme-dark fixed inset-0 z-50 animate-appear bg-paper text-ink outline-none"
      >
        <Dialog.Title className="sr-only">{title}</Dialog.Title>
        {/* Before the content, so that it takes the focus. */}
        <Dialog.Close asChild>
          <IconButton
            label={texts.close}
            size="medium"
            className="absolute! end-3.5 z-10 top-3.5 rounded-full! border border-line bg-raised shadow-card"
          >
            <X />
          </IconButton>
        </Dialog.Close>
        {children}
      </Dialog.Content>
    </Dialog.Portal>
  )
}

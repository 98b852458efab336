import { X } from 'lucide-react'
import { Dialog as Primitive } from 'radix-ui'
import { type ReactNode, useRef } from 'react'
import { useFocusReturn } from '#/renderer/lib/browser/focus'
import { texts } from '#/renderer/lib/texts'
import { IconButton } from './IconButton'

interface DialogProps {
  title: string
  description?: string
  onClose: () => void
  /** For two columns. */
  isWide?: boolean
  children: ReactNode
}

/** A modal dialog with a title. Escape, the close button and a click outside close it. */
export function Dialog({ title, description, onClose, isWide = false, children }: DialogProps) {
  const handleCloseAutoFocus = useFocusReturn()
  const content = useRef<HTMLDivElement>(null)
  return (
    <Primitive.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Primitive.Portal>
        <Primitive.Overlay className="fixed inset-0 z-40 animate-appear bg-shade" />
        <Primitive.Content
          ref={content}
          {...(description === undefined && { 'aria-describedby': undefined })}
          // Focus the content instead of the close button, so that screen readers start at the title. An element with
          // `data-first-focus` takes the focus.
          onOpenAutoFocus={(event) => {
            event.preventDefault()
            const first = content.current?.querySelector<HTMLElement>('[data-first-focus]')
            ;(first ?? content.current)?.focus()
          }}
          onCloseAutoFocus={handleCloseAutoFocus}
          className={`fixed top-1/2 left-1/2 z-50 max-h-[calc(100dvh-32px)] w-[calc(100vw-32px)] -translate-x-1/2 -translate-y-1/2 overflow-y-auto rounded-lg border border-line bg-raised p-6 shadow-card outline-none ${isWide ? 'max-w-230' : 'max-w-105'}`}
        >
          <div className="mb-4 flex items-start justify-between gap-3">
            <Primitive.Title className="pt-1 font-semibold text-[18px] leading-tight">
              {title}
            </Primitive.Title>
            <Primitive.Close asChild>
              <IconButton label={texts.close} size="medium" className="-me-2 -mt-1.5 text-quiet">
                <X />
              </IconButton>
            </Primitive.Close>
          </div>
          {description !== undefined && (
            <Primitive.Description className="mb-5 text-[14px] text-quiet">
              {description}
            </Primitive.Description>
          )}
          {children}
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  )
}

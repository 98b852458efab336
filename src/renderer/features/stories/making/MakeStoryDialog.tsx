import { X } from 'lucide-react'
import { Dialog } from 'radix-ui'
import { useLayoutEffect } from 'react'
import { IconButton } from '#/renderer/components/IconButton'
import { useMe } from '#/renderer/features/auth'
import { useFocusReturn } from '#/renderer/lib/focus'
import { useModalRoute } from '#/renderer/lib/modal-route'
import { texts } from '#/renderer/lib/texts'
import { MakeStoryForm } from './MakeStoryForm'
import { openMaking } from './making-store'

/** Makes a story: a photo or video, words over it, and how both will look (STORY-01). */
export function MakeStoryDialog() {
  const { id: me } = useMe()
  useLayoutEffect(() => openMaking(me), [me])
  const { close, root } = useModalRoute('story')
  const handleCloseAutoFocus = useFocusReturn()
  return (
    <Dialog.Root {...root}>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-40 animate-appear bg-shade" />
        <Dialog.Content
          aria-describedby={undefined}
          onOpenAutoFocus={focusFirstField}
          onCloseAutoFocus={handleCloseAutoFocus}
          className="fixed top-1/2 left-1/2 z-50 max-h-[calc(100dvh-32px)] w-[calc(100vw-32px)] max-w-105 -translate-x-1/2 -translate-y-1/2 overflow-y-auto rounded-lg border border-line bg-raised p-5 shadow-card has-data-preview:md:max-w-190 sm:p-6"
        >
          <div className="mb-4 flex items-start justify-between gap-3">
            <Dialog.Title className="pt-1 font-semibold text-[18px] leading-tight">
              {texts.makeStory.title}
            </Dialog.Title>
            <Dialog.Close asChild>
              <IconButton label={texts.close} size="medium" className="-me-2 -mt-1.5 text-quiet">
                <X />
              </IconButton>
            </Dialog.Close>
          </div>
          <MakeStoryForm onShared={close} />
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

/** Not the close button, which comes first: what one has come to do. */
function focusFirstField(event: Event): void {
  const dialog = event.currentTarget
  const field =
    dialog instanceof HTMLElement ? dialog.querySelector<HTMLElement>('textarea, form button') : null
  if (field === null) return
  event.preventDefault()
  field.focus()
}

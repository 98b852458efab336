import { ChevronLeft, ChevronRight, X } from 'lucide-react'
import { Dialog } from 'radix-ui'
import { type ComponentProps, type KeyboardEvent, useRef, useState } from 'react'
import { useLocation, useNavigate } from 'react-router-dom'
import { IconButton } from '#/renderer/components/IconButton'
import { pressArrow } from '#/renderer/components/PhotoCarousel'
import { useFocusReturn } from '#/renderer/lib/focus'
import { useModalRoute } from '#/renderer/lib/modal-route'
import { createShortcutReader } from '#/renderer/lib/shortcuts'
import { texts } from '#/renderer/lib/texts'
import { isPostId, listOf, neighbours, openPostId, withPost } from '../address'
import { useFreshPostQuery, usePrefetchedPosts } from '../queries'
import { OpenPost } from './OpenPost'

/** Shows the post that the address names, over the page (PROF-10). */
export function PostDialog() {
  const { value: id, close, root } = useModalRoute('post')
  return id === null ? null : <OpenDialog id={id} root={root} onClose={close} />
}

/** The open post's neighbours in its list, and navigation to them and back. */
function usePostAddress(id: string) {
  const navigate = useNavigate()
  const { state } = useLocation()
  const list = listOf(state)
  return {
    ...neighbours(list ?? [], id),
    /** Replaces the open post by a neighbour, so that Back still leads to the page. */
    step: (direction: 'previous' | 'next') => {
      // Read from the address: an earlier press may have changed it before the dialog is rendered again.
      const shown = window.location.search
      const other = neighbours(list ?? [], openPostId(shown) ?? id)[direction]
      if (other !== null) navigate({ search: withPost(shown, other) }, { replace: true, state })
    },
  }
}

/** Shortcuts, and the buttons that they press. */
const BUTTONS: Readonly<Record<string, string>> = {
  l: '[data-action="like"]',
  s: '[data-action="save"]',
  c: '[data-action="comment"]',
}

const DIRECTIONS: Readonly<Record<string, 'previous' | 'next'>> = {
  ArrowLeft: 'previous',
  ArrowRight: 'next',
}

const ROUND = 'md:rounded-full! md:border md:border-line md:bg-raised md:shadow-card'

interface OpenDialogProps {
  id: string
  root: Pick<ComponentProps<typeof Dialog.Root>, 'open' | 'onOpenChange'>
  onClose: () => void
}

function OpenDialog({ id, root, onClose }: OpenDialogProps) {
  const { previous, next, step } = usePostAddress(id)
  const handleCloseAutoFocus = useFocusReturn()
  const [readShortcut] = useState(createShortcutReader)
  const content = useRef<HTMLDivElement>(null)
  usePrefetchedPosts([next, previous].filter((each) => each !== null))

  const handleKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    // Menus and dialogs opened from here handle their own keys, and the photos their arrows.
    const isHere = event.target instanceof Node && event.currentTarget.contains(event.target)
    if (!isHere || event.defaultPrevented) return
    const name = event.repeat ? null : readShortcut(event.nativeEvent)
    const direction = DIRECTIONS[name ?? '']
    const selector = BUTTONS[name ?? '']
    if (direction !== undefined) {
      // Arrow keys step through the photos of a post, then to its neighbours. An earlier press may have left this post.
      const isShown = openPostId(window.location.search) === id
      if (!isShown || !pressArrow(content.current, event)) step(direction)
    } else if (selector !== undefined) content.current?.querySelector<HTMLElement>(selector)?.click()
    else return
    event.preventDefault()
  }

  return (
    <Dialog.Root {...root}>
      <Dialog.Portal>
        {/* Below other dialogs, which open on top of a post. */}
        <Dialog.Overlay className="fixed inset-0 z-35 animate-appear bg-shade" />
        <Dialog.Content
          ref={content}
          aria-describedby={undefined}
          onKeyDown={handleKeyDown}
          onOpenAutoFocus={(event) => {
            event.preventDefault()
            content.current?.focus()
          }}
          onCloseAutoFocus={handleCloseAutoFocus}
          // As large as the window, so that it does not move when the post is loaded. Clicks beside the post reach the overlay.
          className="fixed inset-0 bottom-(--banner-height) z-35 flex flex-col outline-none max-md:bg-raised md:pointer-events-none! md:*:pointer-events-auto md:items-center md:justify-center"
        >
          <Dialog.Title aria-live="polite" className="sr-only">
            <DialogName id={id} />
          </Dialog.Title>
          <div className="flex h-12 shrink-0 items-center px-1.5 max-md:border-line max-md:border-b md:contents">
            {previous === null && next !== null && <span className="size-9 md:hidden" />}
            {previous !== null && (
              <IconButton
                label={texts.post.previous}
                size="medium"
                onClick={() => step('previous')}
                className={`md:fixed! md:start-3.5 md:top-1/2 md:-mt-4.5 ${ROUND}`}
              >
                <ChevronLeft />
              </IconButton>
            )}
            {next !== null && (
              <IconButton
                label={texts.post.next}
                size="medium"
                onClick={() => step('next')}
                className={`md:fixed! md:end-3.5 md:top-1/2 md:-mt-4.5 ${ROUND}`}
              >
                <ChevronRight />
              </IconButton>
            )}
            <Dialog.Close asChild>
              <IconButton
                label={texts.close}
                size="medium"
                className={`ms-auto md:fixed! md:end-3.5 md:top-3.5 ${ROUND}`}
              >
                <X />
              </IconButton>
            </Dialog.Close>
          </div>
          <OpenPost key={id} id={id} onDeleted={onClose} />
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

function DialogName({ id }: { id: string }) {
  return isPostId(id) ? <ReadName id={id} /> : texts.post.one
}

function ReadName({ id }: { id: string }) {
  const { data: post } = useFreshPostQuery(id)
  return post == null ? texts.post.one : texts.post.by(post.author.username)
}

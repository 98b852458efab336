import { Copy, Reply, Undo2 } from 'lucide-react'
import { DropdownMenu } from 'radix-ui'
import type { KeyboardEvent } from 'react'
import { MENU_CLASS, MENU_ITEM_CLASS } from '#/renderer/components/menu'
import { useMe } from '#/renderer/features/auth'
import { texts } from '#/renderer/lib/texts'
import { REACTIONS } from '#/shared/limits'
import { copyText } from '../copy-text'
import type { Message } from '../message'
import { useOwnReaction, useReactMutation } from '../reactions'

interface MessageMenuProps {
  message: Message
  /** Where it opens, in the window. */
  x: number
  y: number
  /** Nobody can write any more. */
  isClosed: boolean
  /** The server does not have it any more: nothing is left to take back. */
  isGone: boolean
  onReply: () => void
  onTakeBack: () => void
  onClose: () => void
}

/** Arrow keys in a row of a menu, which otherwise knows only up and down: along it, and out of it. */
function moveInRow(event: KeyboardEvent<HTMLElement>) {
  const row = event.currentTarget
  const items = [...row.querySelectorAll<HTMLElement>('[role^="menuitem"]')]
  const at = items.findIndex((item) => item.matches(':focus'))
  const forwards = getComputedStyle(row).direction === 'rtl' ? 'ArrowLeft' : 'ArrowRight'
  const targets: Readonly<Record<string, Element | null | undefined>> = {
    ArrowRight: items[at + (forwards === 'ArrowRight' ? 1 : -1)],
    ArrowLeft: items[at + (forwards === 'ArrowRight' ? -1 : 1)],
    ArrowDown: row.nextElementSibling,
    ArrowUp: row.parentElement?.lastElementChild,
  }
  if (!(event.key in targets)) return
  event.preventDefault()
  const target = targets[event.key]
  if (target instanceof HTMLElement) target.focus()
}

/** What one can do with a message: react, answer, copy, and take back what is one's own (MSG-11). */
export function MessageMenu({
  message,
  x,
  y,
  isClosed,
  isGone,
  onReply,
  onTakeBack,
  onClose,
}: MessageMenuProps) {
  const { id: me } = useMe()
  const reaction = useOwnReaction(message)
  const { mutate: react } = useReactMutation(message)
  return (
    <DropdownMenu.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <DropdownMenu.Trigger asChild>
        <span aria-hidden="true" style={{ left: x, top: y }} className="pointer-events-none fixed" />
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          align="start"
          sideOffset={6}
          collisionPadding={8}
          aria-label={texts.messages.options}
          onCloseAutoFocus={(event) => event.preventDefault()}
          className={MENU_CLASS}
        >
          {!isClosed && (
            <DropdownMenu.Group onKeyDownCapture={moveInRow} className="mb-1 flex border-line border-b pb-1">
              {REACTIONS.map((emoji) => (
                <DropdownMenu.CheckboxItem
                  key={emoji}
                  checked={reaction === emoji}
                  aria-label={texts.messages.react(emoji)}
                  onSelect={() => react(reaction === emoji ? null : emoji)}
                  className="grid size-10 place-items-center rounded-full text-[22px] leading-none -outline-offset-2 aria-checked:bg-accent-wash data-highlighted:bg-sunk"
                >
                  {emoji}
                </DropdownMenu.CheckboxItem>
              ))}
            </DropdownMenu.Group>
          )}
          {!isClosed && (
            <DropdownMenu.Item className={MENU_ITEM_CLASS} onSelect={onReply}>
              <Reply aria-hidden="true" />
              {texts.messages.reply}
            </DropdownMenu.Item>
          )}
          {message.content !== '' && (
            <DropdownMenu.Item className={MENU_ITEM_CLASS} onSelect={() => copyText(message.content)}>
              <Copy aria-hidden="true" />
              {texts.messages.copy}
            </DropdownMenu.Item>
          )}
          {message.sender_id === me && !isGone && (
            <DropdownMenu.Item
              className={`${MENU_ITEM_CLASS} text-accent [&_svg]:text-accent`}
              onSelect={onTakeBack}
            >
              <Undo2 aria-hidden="true" />
              {texts.messages.takeBack}
            </DropdownMenu.Item>
          )}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  )
}

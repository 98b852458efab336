import { Copy, Forward, Pencil, Reply, Undo2 } from 'lucide-react'
import { DropdownMenu } from 'radix-ui'
import { type KeyboardEvent, type ReactNode, type RefObject, useEffect, useState } from 'react'
import { ConfirmDialog } from '#/renderer/components/ConfirmDialog'
import { lazyDialog } from '#/renderer/components/lazy-contained'
import { MENU_CLASS, MENU_ITEM_CLASS } from '#/renderer/components/menu'
import { ReactionIcon } from '#/renderer/components/ReactionIcon'
import { useMe } from '#/renderer/features/auth'
import { focusPageIfLost } from '#/renderer/lib/browser/lost-focus-store'
import { serverNow } from '#/renderer/lib/core/clock-store'
import { texts } from '#/renderer/lib/texts'
import { REACTIONS } from '#/shared/limits'
import { copyText } from '../copy-text'
import { setDraftAttachments } from '../draft-attachments-store'
import { editMessage } from '../editing-store'
import type { Message } from '../message'
import { type Conversation, isOpen, isRequest } from '../model/conversation'
import { canEdit } from '../model/editing'
import { canForward } from '../model/shared'
import { useOwnReaction, useReactMutation, useUnsendMutation } from '../mutations/messages'

const ForwardDialog = lazyDialog(() => import('./ForwardDialog'), 'ForwardDialog')

/** What a menu opens at, in the window; a point has no size. */
export type MenuAnchor = Pick<DOMRect, 'x' | 'y' | 'width' | 'height'>

interface OpenMenu {
  messageId: string
  anchor: MenuAnchor
}

interface MessageMenuState {
  /** Opens a message's menu. */
  open: (messageId: string, anchor: MenuAnchor) => void
  /** Focuses a message's button. */
  focusButton: (id: string) => void
  /** The menu or the confirmation dialog; render it anywhere. */
  element: ReactNode
}

/** Focuses the button of a message's menu. */
export function focusOptionsButton(list: HTMLElement | null, messageId: string): void {
  list?.querySelector<HTMLElement>(`[data-message-options="${messageId}"]`)?.focus({ preventScroll: true })
}

/**
 * One menu for all messages of a conversation. While it is open it follows its message, and it closes when the message is gone.
 * @param findMessage returns the message in its present state if it has a menu
 */
export function useMessageMenu(
  conversation: Conversation,
  list: RefObject<HTMLElement | null>,
  findMessage: (id: string) => Message | undefined,
): MessageMenuState {
  const [menu, setMenu] = useState<OpenMenu | null>(null)
  const message = menu === null ? undefined : findMessage(menu.messageId)
  const [asked, setAsked] = useState<Message | null>(null)
  const [forwarded, setForwarded] = useState<Message | null>(null)
  const unsending = useUnsendMutation()

  const focusButton = (id: string) => focusOptionsButton(list.current, id)

  const handleClose = () => {
    setMenu(null)
    requestAnimationFrame(() => {
      // Unless the chosen item moved the focus.
      if (menu !== null && document.activeElement === document.body) focusButton(menu.messageId)
    })
  }

  const isMessageGone = menu !== null && message === undefined
  useEffect(() => {
    if (!isMessageGone) return
    setMenu(null)
    focusPageIfLost()
  }, [isMessageGone])

  return {
    open: (messageId, anchor) => setMenu({ messageId, anchor }),
    focusButton,
    element: (
      <>
        {menu !== null && message !== undefined && (
          <MessageMenu
            message={message}
            anchor={menu.anchor}
            isClosed={!isOpen(conversation) || isRequest(conversation)}
            isGone={conversation.isGone}
            // After the menu has closed, because it keeps the focus until then.
            onReply={() =>
              requestAnimationFrame(() => setDraftAttachments(conversation.id, { replyToId: message.id }))
            }
            onEdit={() => editMessage(message)}
            onForward={() => setForwarded(message)}
            onUnsend={() => setAsked(message)}
            onClose={handleClose}
          />
        )}
        {forwarded !== null && <ForwardDialog message={forwarded} onClose={() => setForwarded(null)} />}
        {asked !== null && (
          <ConfirmDialog
            title={texts.messages.unsendTitle}
            body={conversation.kind === 'pair' ? texts.messages.unsendBody : texts.messages.unsendInGroupBody}
            action={texts.messages.unsend}
            isBusy={unsending.isPending}
            onConfirm={() => unsending.mutate(asked, { onSettled: () => setAsked(null) })}
            onCancel={() => setAsked(null)}
          />
        )}
      </>
    ),
  }
}

interface MessageMenuProps {
  message: Message
  anchor: MenuAnchor
  /** Whether the conversation is closed, or a request that the member has not accepted. */
  isClosed: boolean
  /** Whether the server has deleted the message: it cannot be unsent. */
  isGone: boolean
  onReply: () => void
  onEdit: () => void
  onForward: () => void
  onUnsend: () => void
  onClose: () => void
}

/** Arrow keys in a row of a menu, which otherwise supports only up and down. */
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

/** The actions for a message: react, reply, copy, and unsend an own message (MSG-11). */
function MessageMenu({ message, anchor, isClosed, isGone, ...actions }: MessageMenuProps) {
  const { onReply, onEdit, onForward, onUnsend, onClose } = actions
  const { id: me } = useMe()
  const reaction = useOwnReaction(message)
  const { mutate: react } = useReactMutation(message)
  return (
    <DropdownMenu.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <DropdownMenu.Trigger asChild>
        <span
          aria-hidden="true"
          style={{ left: anchor.x, top: anchor.y, width: anchor.width, height: anchor.height }}
          className="pointer-events-none fixed"
        />
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
                  <ReactionIcon emoji={emoji} className="size-6" />
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
          {!isClosed && canEdit(message, me, serverNow()) && (
            <DropdownMenu.Item className={MENU_ITEM_CLASS} onSelect={onEdit}>
              <Pencil aria-hidden="true" />
              {texts.messages.edit}
            </DropdownMenu.Item>
          )}
          {canForward(message) && !isGone && (
            <DropdownMenu.Item className={MENU_ITEM_CLASS} onSelect={onForward}>
              <Forward aria-hidden="true" />
              {texts.messages.forward}
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
              onSelect={onUnsend}
            >
              <Undo2 aria-hidden="true" />
              {texts.messages.unsend}
            </DropdownMenu.Item>
          )}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  )
}

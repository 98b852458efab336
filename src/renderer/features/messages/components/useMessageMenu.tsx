import { type ReactNode, type RefObject, useState } from 'react'
import { ConfirmDialog } from '#/renderer/components/ConfirmDialog'
import { texts } from '#/renderer/lib/texts'
import { type Conversation, isOpen } from '../conversation'
import { setDraftAttachments } from '../draft-attachments'
import type { Message } from '../message'
import { useTakeBackMutation } from '../take-back'
import { MessageMenu } from './MessageMenu'

interface OpenMenu {
  message: Message
  x: number
  y: number
}

interface MessageMenuState {
  /** Opens a message's menu at a point of the window. */
  open: (message: Message, x: number, y: number) => void
  /** Puts the focus on a message's button. */
  focusButton: (id: string) => void
  /** The menu, or the question before a message is taken back; to be drawn somewhere. */
  element: ReactNode
}

/** One menu for all messages of a conversation, however many they are. */
export function useMessageMenu(
  conversation: Conversation,
  list: RefObject<HTMLElement | null>,
): MessageMenuState {
  const [menu, setMenu] = useState<OpenMenu | null>(null)
  const [asked, setAsked] = useState<Message | null>(null)
  const takingBack = useTakeBackMutation()

  const focusButton = (id: string) =>
    list.current?.querySelector<HTMLElement>(`[data-message-options="${id}"]`)?.focus({ preventScroll: true })

  const handleClose = () => {
    setMenu(null)
    requestAnimationFrame(() => {
      // Unless what was chosen took the focus elsewhere.
      if (menu !== null && document.activeElement === document.body) focusButton(menu.message.id)
    })
  }

  return {
    open: (message, x, y) => setMenu({ message, x, y }),
    focusButton,
    element: (
      <>
        {menu !== null && (
          <MessageMenu
            message={menu.message}
            x={menu.x}
            y={menu.y}
            isClosed={!isOpen(conversation)}
            isGone={conversation.isGone}
            // Once the menu is gone, which keeps the focus until then.
            onReply={() =>
              requestAnimationFrame(() =>
                setDraftAttachments(conversation.id, { replyToId: menu.message.id }),
              )
            }
            onTakeBack={() => setAsked(menu.message)}
            onClose={handleClose}
          />
        )}
        {asked !== null && (
          <ConfirmDialog
            title={texts.messages.takeBackTitle}
            body={texts.messages.takeBackBody}
            action={texts.messages.takeBack}
            isBusy={takingBack.isPending}
            onConfirm={() => takingBack.mutate(asked.id, { onSettled: () => setAsked(null) })}
            onCancel={() => setAsked(null)}
          />
        )}
      </>
    ),
  }
}

import { Archive, ArchiveRestore, Check, Pin, PinOff, Trash2 } from 'lucide-react'
import { DropdownMenu } from 'radix-ui'
import { type ReactNode, useState } from 'react'
import { ConfirmDialog } from '#/renderer/components/ConfirmDialog'
import { MENU_ITEM_CLASS } from '#/renderer/components/menu'
import { focusIfLost } from '#/renderer/lib/browser/lost-focus-store'
import { texts } from '#/renderer/lib/texts'
import { type Conversation, isRequest } from '../model/conversation'
import { type ConversationAction, useConversationActionMutation } from '../mutations/conversation-views'

const ITEMS = {
  accept: { icon: Check, label: texts.messages.accept },
  pin: { icon: Pin, label: texts.messages.pin },
  unpin: { icon: PinOff, label: texts.messages.unpin },
  archive: { icon: Archive, label: texts.messages.archive },
  unarchive: { icon: ArchiveRestore, label: texts.messages.unarchive },
  delete: { icon: Trash2, label: texts.messages.deleteConversation },
} as const

const IN_FOLDER: Readonly<Record<Conversation['folder'], readonly ConversationAction[]>> = {
  inbox: ['pin', 'archive', 'delete'],
  archived: ['unarchive', 'delete'],
  requests: ['accept', 'delete'],
  none: [],
}

/** An invitation to a group is no message that can be accepted. */
const ONLY_PAIRS: readonly ConversationAction[] = ['accept', 'delete']

/** What a member can do with a conversation. */
export function actionsFor({ kind, folder, isPinned }: Conversation): ConversationAction[] {
  return IN_FOLDER[folder]
    .filter((action) => kind === 'pair' || !ONLY_PAIRS.includes(action))
    .map((action) => (action === 'pin' && isPinned ? 'unpin' : action))
}

interface ConversationMenuItemsProps {
  conversation: Conversation
  onChoose: (action: ConversationAction) => void
}

/** Menu items to accept, pin, archive or delete a conversation. */
export function ConversationMenuItems({ conversation, onChoose }: ConversationMenuItemsProps) {
  return actionsFor(conversation).map((action) => {
    const { icon: Icon, label } = ITEMS[action]
    const colour = action === 'delete' ? 'text-accent [&_svg]:text-accent!' : ''
    return (
      <DropdownMenu.Item
        key={action}
        className={`${MENU_ITEM_CLASS} ${colour}`}
        onSelect={() => onChoose(action)}
      >
        <Icon aria-hidden="true" />
        {label}
      </DropdownMenu.Item>
    )
  })
}

interface ConversationActions {
  /** Carries an action out; asks first before it deletes. */
  choose: (conversation: Conversation, action: ConversationAction) => void
  isBusy: boolean
  /** The confirmation dialog; render it anywhere. */
  element: ReactNode
}

/** The title of the list, which takes the focus when what had it has left. */
export const LIST_TITLE_ID = 'messages-title'

/** @param findNext finds what takes the focus of a conversation that has left the list */
export function useConversationActions(
  findNext: () => HTMLElement | null = () => document.getElementById(LIST_TITLE_ID),
): ConversationActions {
  const { mutate, isPending } = useConversationActionMutation(() => focusIfLost(findNext))
  const [asked, setAsked] = useState<Conversation | null>(null)
  return {
    choose: (conversation, action) => {
      if (action === 'delete') setAsked(conversation)
      else mutate({ conversation, action })
    },
    isBusy: isPending,
    element: asked !== null && (
      <ConfirmDialog
        title={isRequest(asked) ? texts.messages.deleteRequestTitle : texts.messages.deleteTitle}
        body={isRequest(asked) ? texts.messages.deleteRequestBody : texts.messages.deleteBody}
        action={texts.messages.deleteConversation}
        isBusy={isPending}
        onConfirm={() =>
          mutate({ conversation: asked, action: 'delete' }, { onSettled: () => setAsked(null) })
        }
        onCancel={() => setAsked(null)}
      />
    ),
  }
}

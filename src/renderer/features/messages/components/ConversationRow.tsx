import { Pin } from 'lucide-react'
import { Link } from 'react-router-dom'
import { OptionsMenu } from '#/renderer/components/OptionsMenu'
import { useMe } from '#/renderer/features/auth'
import { fullTime, shortElapsedTime } from '#/renderer/lib/content/time'
import { useNow } from '#/renderer/lib/core/clock-store'
import { texts } from '#/renderer/lib/texts'
import { trimText } from '#/shared/visible-text'
import { conversationPath, FROM_LIST } from '../address'
import { useDraft } from '../drafts-store'
import type { Conversation } from '../model/conversation'
import { isRequest, listPreview, writerOf } from '../model/conversation'
import type { Folder } from '../model/folders'
import type { ConversationAction } from '../mutations/conversation-views'
import { useOutgoing } from '../outgoing'
import { useTitle, useWriter } from '../queries/names'
import { actionsFor, ConversationMenuItems } from './ConversationMenu'
import { ConversationPicture } from './ConversationPicture'

/** Height of every row, in pixels. */
export const ROW_HEIGHT = 66

interface ConversationRowProps {
  conversation: Conversation
  /** The list that shows it. */
  folder: Folder
  index: number
  isOpen: boolean
  /** Whether the browser's Back returns to the list. */
  isFromList: boolean
  isTabStop: boolean
  /** Whether the other member is active now. */
  isActive: boolean
  onChoose: (action: ConversationAction) => void
}

/** While the menu's button is shown, the texts end before it. */
const MENU_ROOM =
  'group-hover:pe-8 group-focus-within:pe-8 group-has-[[data-state=open]]:pe-8 pointer-coarse:pe-8'

/** A conversation in the list: its picture, name and a preview. */
export function ConversationRow({
  conversation,
  folder,
  index,
  isOpen,
  isFromList,
  isTabStop,
  isActive,
  onChoose,
}: ConversationRowProps) {
  const { id: me } = useMe()
  const now = useNow()
  const draft = trimText(useDraft(conversation.id))
  const outgoing = useOutgoing(conversation.id)
  const { latest } = conversation
  const { name, blocked } = useTitle(conversation)
  const writer = useWriter(writerOf(conversation, me)).name
  // Messages of a blocked member do not count as unread, and requests not before they are accepted.
  const isUnread = conversation.isUnread && blocked === null && !isRequest(conversation)
  const { kind, text } = listPreview({ latest, outgoing, draft: isOpen ? '' : draft, writer }, me)
  const hasMenu = !conversation.isGone && actionsFor(conversation).length > 0
  return (
    <>
      <Link
        to={conversationPath(conversation.id, folder)}
        state={isFromList ? FROM_LIST : null}
        data-index={index}
        tabIndex={isTabStop ? 0 : -1}
        aria-current={isOpen || undefined}
        className="relative flex h-full items-center gap-3 px-4.5 -outline-offset-2 before:absolute before:inset-y-0 before:start-0 before:w-0.5 group-hover:bg-sunk aria-[current]:bg-sunk aria-[current]:before:bg-accent"
      >
        <span className="relative shrink-0">
          <ConversationPicture conversation={conversation} size={46} />
          {isActive && (
            <span
              title={texts.messages.activeNow}
              className="absolute end-0 bottom-0 size-3 rounded-full bg-active ring-2 ring-raised"
            >
              <span className="sr-only">{texts.messages.activeNow}</span>
            </span>
          )}
        </span>
        <span className={`min-w-0 flex-1 text-[14.5px] leading-[1.35] ${hasMenu ? MENU_ROOM : ''}`}>
          <span dir="auto" className="block w-fit max-w-full truncate font-semibold">
            {name}
          </span>
          <span className={`flex gap-1 ${isUnread ? 'font-semibold' : 'text-quiet'}`}>
            <span dir="auto" className={`truncate ${kind === 'draft' ? 'text-accent italic' : ''}`}>
              {text}
            </span>
            {kind !== 'said' && kind !== 'draft' && (
              <span
                className={`flex shrink-0 ${kind === 'refused' ? 'font-semibold text-accent' : 'font-normal text-quiet'}`}
              >
                <span className="whitespace-pre">{'· '}</span>
                {texts.messages.preview[kind]}
              </span>
            )}
            {latest !== null && (kind === 'said' || kind === 'draft') && (
              <time
                dateTime={latest.created_at}
                title={fullTime(latest.created_at)}
                className="flex shrink-0 font-normal text-quiet"
              >
                <span className="whitespace-pre">{'· '}</span>
                {shortElapsedTime(latest.created_at, now)}
              </time>
            )}
          </span>
        </span>
        {conversation.isPinned && (
          <span title={texts.messages.pinned} className="shrink-0 text-quiet">
            <Pin aria-hidden="true" className="size-3.5" />
            <span className="sr-only">{texts.messages.pinned}</span>
          </span>
        )}
        {isUnread && (
          <span className="size-2.25 shrink-0 rounded-full bg-accent">
            <span className="sr-only">{texts.messages.unread}</span>
          </span>
        )}
      </Link>
      {hasMenu && (
        <OptionsMenu
          label={texts.messages.conversationMenu(name)}
          tabIndex={isTabStop ? 0 : -1}
          className="absolute! end-2.5 top-3.5 size-9.5! rounded-full! bg-raised text-quiet opacity-0 shadow-card focus-visible:opacity-100 group-hover:opacity-100 data-[state=open]:opacity-100 pointer-coarse:opacity-100"
        >
          <ConversationMenuItems conversation={conversation} onChoose={onChoose} />
        </OptionsMenu>
      )}
    </>
  )
}

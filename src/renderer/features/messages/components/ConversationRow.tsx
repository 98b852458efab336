import { Link } from 'react-router-dom'
import { Avatar } from '#/renderer/components/Avatar'
import { useMe } from '#/renderer/features/auth'
import { useNow } from '#/renderer/lib/clock-store'
import { texts } from '#/renderer/lib/texts'
import { fullTime, shortElapsedTime } from '#/renderer/lib/time'
import { conversationPath, FROM_LIST } from '../address'
import type { Conversation } from '../conversation'
import { useDraft } from '../drafts'
import { useOutgoing } from '../outgoing'
import { listLine } from '../preview'
import { useOther } from '../useOther'

/** In pixels; every row of the list is as high as this. */
export const ROW_HEIGHT = 66

interface ConversationRowProps {
  conversation: Conversation
  /** Its place in the list. */
  index: number
  isOpen: boolean
  /** The list is come back to by the way back. */
  isFromList: boolean
  isTabStop: boolean
  /** The other is there now. */
  isActive: boolean
}

/** A conversation in the list: the other's picture and name, and what was said last. */
export function ConversationRow({
  conversation,
  index,
  isOpen,
  isFromList,
  isTabStop,
  isActive,
}: ConversationRowProps) {
  const { id: me } = useMe()
  const now = useNow()
  const draft = useDraft(conversation.id).trim()
  const outgoing = useOutgoing(conversation.id)
  const { latest } = conversation
  const { name, avatar, blocked } = useOther(conversation)
  // What came from somebody whom one has blocked since is no news, and no badge counts it.
  const isUnread = conversation.isUnread && blocked === null
  const { kind, text } = listLine({ latest, outgoing, draft: isOpen ? '' : draft }, me)
  return (
    <Link
      to={conversationPath(conversation.id)}
      state={isFromList ? FROM_LIST : null}
      data-index={index}
      tabIndex={isTabStop ? 0 : -1}
      aria-current={isOpen || undefined}
      className="relative flex h-full items-center gap-3 px-4.5 -outline-offset-2 before:absolute before:inset-y-0 before:start-0 before:w-0.5 hover:bg-sunk aria-[current]:bg-sunk aria-[current]:before:bg-accent"
    >
      <span className="relative shrink-0">
        <Avatar username={name} src={avatar} size={46} />
        {isActive && (
          <span
            title={texts.messages.activeNow}
            className="absolute end-0 bottom-0 size-3 rounded-full bg-active ring-2 ring-raised"
          >
            <span className="sr-only">{texts.messages.activeNow}</span>
          </span>
        )}
      </span>
      <span className="min-w-0 flex-1 text-[14.5px] leading-[1.35]">
        <span className="block truncate font-semibold">{name}</span>
        <span className={`flex gap-1 ${isUnread ? 'font-semibold' : 'text-quiet'}`}>
          <span dir="auto" className={`truncate ${kind === 'draft' ? 'text-accent italic' : ''}`}>
            {text}
          </span>
          {kind !== 'said' && kind !== 'draft' && (
            <span
              className={`shrink-0 ${kind === 'refused' ? 'font-semibold text-accent' : 'font-normal text-quiet'}`}
            >
              · {texts.messages.preview[kind]}
            </span>
          )}
          {latest !== null && (kind === 'said' || kind === 'draft') && (
            <time
              dateTime={latest.created_at}
              title={fullTime(latest.created_at)}
              className="shrink-0 font-normal text-quiet"
            >
              · {shortElapsedTime(latest.created_at, now)}
            </time>
          )}
        </span>
      </span>
      {isUnread && (
        <span className="size-2.25 shrink-0 rounded-full bg-accent">
          <span className="sr-only">{texts.messages.unread}</span>
        </span>
      )}
    </Link>
  )
}

import { Ellipsis } from 'lucide-react'
import type { MouseEvent, PointerEvent, ReactNode } from 'react'
import { Link } from 'react-router-dom'
import { Avatar } from '#/renderer/components/Avatar'
import { IconButton } from '#/renderer/components/IconButton'
import { PendingButton } from '#/renderer/components/PendingStatus'
import { ReactionIcon } from '#/renderer/components/ReactionIcon'
import { useMe } from '#/renderer/features/auth'
import { elapsedTime, fullTime } from '#/renderer/lib/content/time'
import { useNow } from '#/renderer/lib/core/clock-store'
import { discardRow, retryRow } from '#/renderer/lib/outbox/active'
import { formatCount, texts } from '#/renderer/lib/texts'
import { useDraftAttachments } from '../draft-attachments-store'
import type { Message } from '../message'
import type { Conversation } from '../model/conversation'
import type { MessageRow } from '../model/timeline'
import { reactionOf, useOwnReaction } from '../mutations/messages'
import { editRefused } from '../mutations/send'
import { useWriter, useWriterName } from '../queries/names'
import { Bubble } from './Bubble'
import type { MenuAnchor } from './MessageMenu'

/** Actions for messages of the open conversation. */
export interface MessageActions {
  /** Opens a message's menu. */
  openMenu: (messageId: string, anchor: MenuAnchor) => void
  /** Scrolls to a message; loads older messages until it is found. */
  show: (id: string) => void
  /** Call before a message is unfolded. */
  keepPlace: () => void
}

interface MessageItemProps {
  row: MessageRow
  conversation: Conversation
  /** Of the other member; in a group it is not used. */
  otherName: string
  actions: MessageActions
  /** Whether Tab focuses its button; arrow keys move on from there. */
  isTabStop: boolean
}

/** One message with its time: own messages on the right, the others on the left (MSG-03). */
export function MessageItem({ row, conversation, otherName, actions, isTabStop }: MessageItemProps) {
  const { id: me } = useMe()
  const { message, isFirst, isLast, delivery } = row
  const isOwn = message.sender_id === me
  const isGroup = conversation.kind === 'group'
  const writer = useWriterName(isGroup && !isOwn, message.sender_id, otherName)
  const hasMenu = delivery === 'sent' && message.deleted_at === null

  const handleOptions = ({ currentTarget }: MouseEvent) =>
    actions.openMenu(message.id, currentTarget.getBoundingClientRect())
  // Like the other menus: the row may move before the button of the mouse is released, and then there is no click.
  const handlePointerDown = (event: PointerEvent) => {
    if (event.pointerType !== 'mouse' || event.button !== 0 || event.ctrlKey) return
    // The menu takes the focus.
    event.preventDefault()
    handleOptions(event)
  }

  return (
    <article
      data-message={message.id}
      className={`group flex flex-col ${isLast ? 'pb-3.5' : 'pb-1.5'} ${isOwn ? 'items-end' : 'items-start'}`}
    >
      {isGroup && isFirst && !isOwn && <Writer memberId={message.sender_id} />}
      <div
        data-menu={hasMenu ? message.id : undefined}
        className={`flex max-w-full items-end gap-1 ${isOwn ? 'flex-row-reverse ps-6' : 'pe-6'}`}
      >
        <div
          title={fullTime(message.created_at)}
          className={`flex min-w-0 flex-col ${isOwn ? 'items-end' : 'items-start'}`}
        >
          <Bubble
            message={message}
            isOwn={isOwn}
            isGroup={isGroup}
            otherName={writer}
            isPending={delivery !== 'sent'}
            onShow={actions.show}
            onUnfold={actions.keepPlace}
          />
          {isGroup ? (
            <GroupReactions message={message} />
          ) : (
            <Reactions message={message} otherId={conversation.otherId} otherName={otherName} />
          )}
        </div>
        {hasMenu && (
          <IconButton
            label={texts.messages.options}
            size="small"
            tabIndex={isTabStop ? 0 : -1}
            data-message-options={message.id}
            onPointerDown={handlePointerDown}
            onClick={handleOptions}
            className="mb-1 text-quiet opacity-0 focus-visible:opacity-100 group-hover:opacity-100 pointer-coarse:opacity-100"
          >
            <Ellipsis />
          </IconButton>
        )}
      </div>
      <MessageStatus row={row} />
    </article>
  )
}

/** Who wrote in a group, above the first of their messages in a row. */
function Writer({ memberId }: { memberId: string }) {
  const { name, profile } = useWriter(memberId)
  return (
    <p className="flex max-w-full items-center gap-2 pb-1 font-semibold text-[13px]">
      <Avatar member={profile ?? { username: name, avatar_url: null, avatar_path: null }} size={24} />
      {profile === null ? (
        <span className="text-quiet">{name}</span>
      ) : (
        <Link to={`/profile/${name}`} className="truncate rounded-sm underline-offset-3 hover:underline">
          {name}
        </Link>
      )}
    </p>
  )
}

/** When it was sent, how far it has come, or why it is not sent and what to do. */
function MessageStatus({ row: { message, delivery, reason, receipt } }: { row: MessageRow }) {
  const now = useNow()
  const isEdited = message.edited_at !== null
  return (
    <p className="px-1.5 pt-0.75 text-[11px] text-quiet leading-tight">
      {delivery === 'sent' && (
        <time dateTime={message.created_at} title={fullTime(message.created_at)}>
          {texts.messages.ago(elapsedTime(message.created_at, now))}
        </time>
      )}
      {isEdited && (
        <span className="before:whitespace-pre before:content-['_·_']">{texts.messages.edited}</span>
      )}
      {receipt !== null && (
        <span className="before:whitespace-pre before:content-['_·_']">
          {texts.messages.receipt[receipt]}
        </span>
      )}
      {delivery === 'sending' && texts.outbox.sending}
      {(delivery === 'waiting' || delivery === 'retrying') && (
        <OutboxStatus id={message.id} className="text-quiet">
          <span>{delivery === 'waiting' ? texts.outbox.waiting : reason || texts.outbox.sending}</span>
        </OutboxStatus>
      )}
      {delivery === 'refused' && (
        <OutboxStatus id={message.id} className="text-accent">
          <span title={reason === '' ? undefined : reason}>{texts.outbox.notSent}</span>
          <RefusedActions message={message} />
        </OutboxStatus>
      )}
    </p>
  )
}

interface OutboxStatusProps {
  id: string
  className: string
  children: ReactNode
}

/** The status of a message in the outbox, and the button that discards it. */
function OutboxStatus({ id, className, children }: OutboxStatusProps) {
  return (
    <span className={`inline-flex flex-wrap items-center justify-end gap-x-2.5 ${className}`}>
      {children}
      <PendingButton label={texts.outbox.discard} onClick={() => discardRow(id)} />
    </span>
  )
}

/** The actions for a refused message besides discarding it (MSG-09). */
function RefusedActions({ message }: Pick<MessageRow, 'message'>) {
  const { id, conversation_id, media_id, shared_kind, forwarded } = message
  const { photo } = useDraftAttachments(conversation_id)
  // The field has room for one photo.
  const isPhotoTaken = media_id !== null && photo.state !== 'none'
  return (
    <>
      <PendingButton label={texts.tryAgain} isStrong onClick={() => retryRow(id)} />
      {/* The field can neither hold a shared card nor mark a message as forwarded. */}
      {shared_kind === null && !forwarded && (
        <PendingButton
          label={texts.outbox.edit}
          isStrong
          isDisabled={isPhotoTaken}
          onClick={() => editRefused(id)}
        />
      )}
    </>
  )
}

interface ReactionsProps {
  message: Message
  otherId: string
  otherName: string
}

/** The two members' reactions to a message. */
function Reactions({ message, otherId, otherName }: ReactionsProps) {
  const { id: me } = useMe()
  const own = useOwnReaction(message)
  const others = reactionOf(message, otherId)
  const shown = [
    { id: otherId, name: otherName, emoji: others },
    { id: me, name: texts.messages.you, emoji: own },
  ].flatMap(({ id, name, emoji }) =>
    emoji === null ? [] : [{ id, emoji, words: texts.messages.reaction(name, emoji) }],
  )
  return message.deleted_at === null && <ReactionList shown={shown} />
}

/** The reactions of a group's members, each emoji once with their number. */
function GroupReactions({ message }: Pick<ReactionsProps, 'message'>) {
  const { id: me } = useMe()
  const own = useOwnReaction(message)
  const others = message.reactions.filter(({ member_id }) => member_id !== me).map(({ emoji }) => emoji)
  const counts = new Map<string, number>()
  for (const emoji of own === null ? others : [...others, own])
    counts.set(emoji, (counts.get(emoji) ?? 0) + 1)
  const shown = [...counts].map(([emoji, count]) => ({
    id: emoji,
    emoji,
    count,
    words: texts.messages.reactions(count, emoji),
  }))
  return message.deleted_at === null && <ReactionList shown={shown} />
}

interface ReactionListProps {
  shown: readonly { id: string; emoji: string; words: string; count?: number }[]
}

function ReactionList({ shown }: ReactionListProps) {
  if (shown.length === 0) return null
  return (
    <ul className="relative -mt-1.5 flex gap-0.5 rounded-full border border-line bg-raised px-1.5 py-px text-[14px] leading-[1.4]">
      {shown.map(({ id, emoji, words, count = 1 }) => (
        <li key={id} title={words} className="flex items-center gap-0.5">
          <span className="sr-only">{words}</span>
          <ReactionIcon emoji={emoji} className="size-4.5" />
          {count > 1 && (
            <span aria-hidden="true" className="pe-0.5 text-[12.5px] text-quiet">
              {formatCount(count)}
            </span>
          )}
        </li>
      ))}
    </ul>
  )
}

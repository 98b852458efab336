import { Forward } from 'lucide-react'
import { CLIPPED_TEXT } from '#/renderer/components/clipped-text'
import { Fold } from '#/renderer/components/Fold'
import { Picture } from '#/renderer/components/Picture'
import { useMe } from '#/renderer/features/auth'
import { StoryLink } from '#/renderer/features/stories'
import { thumbnailSource } from '#/renderer/lib/media-store'
import { texts } from '#/renderer/lib/texts'
import type { Message } from '../message'
import { previewOf } from '../model/conversation'
import { isLargeEmoji } from '../model/timeline'
import { useQuotedQuery, useRepliedStoryQuery } from '../queries/messages'
import { useWriterName } from '../queries/names'
import { MessagePhoto, MessageThumbnail } from './MessagePhoto'
import { SharedCard } from './SharedCard'

interface BubbleProps {
  message: Message
  isOwn: boolean
  isGroup: boolean
  /** Of the other member; in a group, of who wrote this message. */
  otherName: string
  isPending: boolean
  onShow: (id: string) => void
  onUnfold: () => void
}

/** The content of a message: text, photo, quoted message and story. */
export function Bubble({ message, isOwn, isGroup, otherName, isPending, onShow, onUnfold }: BubbleProps) {
  const { content, deleted_at, reply_to_id, media_id, answers_story, shared_kind, forwarded } = message
  if (deleted_at !== null) {
    return (
      <p className="rounded-[18px] border border-line px-3.25 py-2 text-[14.5px] text-quiet italic leading-[1.45]">
        {texts.messages.deleted}
      </p>
    )
  }
  const colours = isOwn ? 'bg-accent text-on-accent [&_a]:text-on-accent! [&_a]:underline' : 'bg-lifted'
  return (
    <div
      className={`flex min-w-0 max-w-full flex-col gap-1 ${isOwn ? 'items-end' : 'items-start'} ${isPending ? 'opacity-65' : ''}`}
    >
      {forwarded && (
        <p className="flex items-center gap-1 px-1 text-[12px] text-quiet">
          <Forward aria-hidden="true" className="size-3.5" />
          {texts.messages.forwarded}
        </p>
      )}
      {answers_story && <StoryReplyCard storyId={message.story_id} isOwn={isOwn} />}
      {reply_to_id !== null && (
        <Quote
          conversationId={message.conversation_id}
          id={reply_to_id}
          isGroup={isGroup}
          otherName={otherName}
          onShow={() => onShow(reply_to_id)}
        />
      )}
      {media_id !== null && (
        <MessagePhoto
          message={message}
          photoId={media_id}
          isOwn={isOwn}
          otherName={otherName}
          isPending={isPending}
        />
      )}
      {shared_kind !== null && <SharedCard message={message} />}
      {content !== '' &&
        (isLargeEmoji(content) ? (
          <p className={`max-w-full px-1 text-[40px] leading-tight ${CLIPPED_TEXT}`}>{content}</p>
        ) : (
          <div
            className={`min-w-0 max-w-full rounded-[18px] px-3.25 py-2 text-[14.5px] leading-[1.45] ${colours}`}
          >
            <Fold
              id={message.id}
              text={content}
              place="message"
              buttonClass="underline outline-current"
              onUnfold={onUnfold}
            />
          </div>
        ))}
    </div>
  )
}

interface QuoteProps {
  conversationId: string
  id: string
  isGroup: boolean
  otherName: string
  onShow: () => void
}

/** The quoted message in two lines; a click scrolls to it. */
function Quote({ conversationId, id, isGroup, otherName, onShow }: QuoteProps) {
  const { id: me } = useMe()
  const quoted = useQuotedQuery(conversationId, id)
  const writer = useWriterName(isGroup, quoted?.sender_id ?? null, otherName)
  return (
    <button
      type="button"
      title={texts.messages.repliedTo}
      onClick={onShow}
      className="flex min-h-9 max-w-full items-center gap-2 rounded-e-md border-edge border-s-2 bg-paper py-1 ps-2.5 pe-3 text-start text-[13px] hover:bg-sunk"
    >
      {quoted?.media_id != null && <MessageThumbnail message={quoted} photoId={quoted.media_id} />}
      <span className="min-w-0 leading-tight">
        <span className="block truncate font-semibold">
          {quoted != null && (quoted.sender_id === me ? texts.messages.you : writer)}
        </span>
        <span dir="auto" className="line-clamp-2 text-quiet [overflow-wrap:anywhere]">
          {quoted === null ? texts.messages.deleted : quoted === undefined ? '…' : previewOf(quoted)}
        </span>
      </span>
    </button>
  )
}

interface StoryAnswerProps {
  /** Null after the story has expired or was deleted. */
  storyId: string | null
  /** Whether the member wrote the reply. */
  isOwn: boolean
}

/** The story that a message replies to, as a small card that opens it. */
function StoryReplyCard({ storyId, isOwn }: StoryAnswerProps) {
  const { data: story } = useRepliedStoryQuery(storyId)
  const isGone = storyId === null || story === null
  const thumbnail =
    story &&
    thumbnailSource(story.poster_path, story.thumbhash, story.thumbnail_url, 'poster', story.expires_at)
  return (
    <div className={`flex flex-col gap-1 text-[12.5px] text-quiet ${isOwn ? 'items-end' : 'items-start'}`}>
      <p>{isOwn ? texts.messages.story.theirs : texts.messages.story.yours}</p>
      {isGone ? (
        <p className="rounded-md border border-line px-3 py-2.5">{texts.messages.story.gone}</p>
      ) : (
        <StoryLink
          id={storyId}
          className="block h-30 w-20 overflow-hidden rounded-md border border-line bg-lifted"
        >
          <span className="sr-only">{texts.messages.story.open}</span>
          {thumbnail && <Picture source={thumbnail} alt="" sizes="80px" fit="cover" className="size-full" />}
        </StoryLink>
      )}
    </div>
  )
}

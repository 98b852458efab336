import { RichText } from '#/renderer/components/RichText'
import { texts } from '#/renderer/lib/texts'
import type { Message } from '../message'
import { isLargeEmoji } from '../timeline'
import { MessagePhoto } from './MessagePhoto'
import { Quote } from './Quote'
import { StoryAnswer } from './StoryAnswer'

interface BubbleProps {
  message: Message
  isOwn: boolean
  /** The other's name. */
  otherName: string
  /** It is not on the server yet. */
  isPending: boolean
  onShow: (id: string) => void
}

/** What a message says: its words, its photo, and what it answers. */
export function Bubble({ message, isOwn, otherName, isPending, onShow }: BubbleProps) {
  const { content, deleted_at, reply_to_id, photo_id, answers_story } = message
  if (deleted_at !== null) {
    return (
      <p className="rounded-[18px] border border-line px-3.25 py-2 text-[14.5px] text-quiet italic leading-[1.45]">
        {texts.messages.deleted}
      </p>
    )
  }
  const colours = isOwn ? 'bg-accent text-on-accent [&_a]:text-on-accent! [&_a]:underline' : 'bg-sunk'
  return (
    <div
      className={`flex min-w-0 flex-col gap-1 ${isOwn ? 'items-end' : 'items-start'} ${isPending ? 'opacity-65' : ''}`}
    >
      {answers_story && <StoryAnswer storyId={message.story_id} isOwn={isOwn} />}
      {reply_to_id !== null && (
        <Quote
          conversationId={message.conversation_id}
          id={reply_to_id}
          otherName={otherName}
          onShow={() => onShow(reply_to_id)}
        />
      )}
      {photo_id !== null && (
        <MessagePhoto
          message={message}
          photoId={photo_id}
          isOwn={isOwn}
          otherName={otherName}
          isPending={isPending}
        />
      )}
      {content !== '' &&
        (isLargeEmoji(content) ? (
          <p className="px-1 text-[40px] leading-tight">{content}</p>
        ) : (
          <p
            className={`min-w-0 max-w-full rounded-[18px] px-3.25 py-2 text-[14.5px] leading-[1.45] ${colours}`}
          >
            <RichText text={content} />
          </p>
        ))}
    </div>
  )
}

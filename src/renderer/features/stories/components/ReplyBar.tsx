import { SendHorizontal } from 'lucide-react'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { CharactersLeft } from '#/renderer/components/CharactersLeft'
import { IconButton } from '#/renderer/components/IconButton'
import { ReactionIcon } from '#/renderer/components/ReactionIcon'
import { exceeds } from '#/renderer/lib/content/rich-text'
import { AppError } from '#/renderer/lib/core/errors'
import { newId } from '#/renderer/lib/core/uuid'
import { texts } from '#/renderer/lib/texts'
import { REACTIONS, TEXT_LIMITS } from '#/shared/limits'
import { trimText } from '#/shared/visible-text'
import { useSendReplyMutation } from '../mutations'
import type { Story } from '../queries'
import { useReplyDraft } from '../reply-drafts'

/** How long the status of a sent reply is shown, in milliseconds. */
const STATUS_MS = 4_000

interface ReplyBarProps {
  story: Story
  /** It was deleted or hidden. */
  isUnavailable: boolean
  /** Playback pauses while the member writes. */
  onWriting: (isWriting: boolean) => void
  /** The server refuses replies to this story. */
  onRefused: () => void
}

/** Whether the server accepts no replies: the story is gone, or its author wants none, or none from this member. */
function isRefusal(cause: unknown): boolean {
  return cause instanceof AppError && (cause.code === 'forbidden' || cause.code === 'not-found')
}

/** Why, in the server's own words if it gave a reason. */
function refusalText(cause: unknown): string {
  const reason = cause instanceof AppError && cause.code === 'forbidden' ? cause.message : ''
  return reason === '' ? texts.stories.noReplies : reason
}

/**
 * Replies and reactions to another member's story. The field is empty while a reply is sent, and takes the next one. Text that
 * cannot be sent returns to it.
 */
export function ReplyBar({ story, isUnavailable, onWriting, onRefused }: ReplyBarProps) {
  const { username } = story.author
  const draft = useReplyDraft(story.id)
  const sending = useSendReplyMutation(story)
  const [status, showStatus] = useStatus()
  const field = useRef<HTMLInputElement>(null)
  const content = trimText(draft.text)
  const isTooLong = exceeds(content, TEXT_LIMITS.message)
  const isClosed = isUnavailable || isRefusal(sending.error)
  const canSend = content !== '' && !isTooLong && !isClosed
  // A refused reply stays to be copied, so playback must not move on.
  const [hasFocus, setHasFocus] = useState(false)
  const isWriting = isClosed ? content !== '' : hasFocus
  useEffect(() => {
    onWriting(isWriting)
    return () => onWriting(false)
  }, [onWriting, isWriting])

  const handleError = (cause: unknown) => {
    if (isRefusal(cause)) onRefused()
  }
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (!canSend) return
    sending.mutate(draft.take(), {
      onSuccess: (state) => {
        showStatus(state)
        // What was typed meanwhile is the next reply.
        if (draft.read().text === '') field.current?.blur()
      },
      onError: handleError,
    })
  }
  const handleReact = (emoji: string) =>
    sending.mutate({ id: newId(), text: emoji }, { onSuccess: showStatus, onError: handleError })

  // StoryMedia's place shows that the story is unavailable.
  if (isUnavailable && content === '') return null
  return (
    <div className="relative px-4 pb-4">
      {isClosed && (
        <p role="alert" className="mb-2.5 text-center text-[14px]">
          {refusalText(sending.error)} {content !== '' && texts.stories.replyKept}
        </p>
      )}
      <div role="status" className="pointer-events-none absolute inset-x-0 bottom-full text-center">
        {status !== null && (
          <span className="inline-block animate-appear rounded-full bg-black/60 px-3.5 py-1.5 text-[13.5px]">
            {texts.stories[status]}
          </span>
        )}
      </div>
      {!isClosed && (
        <div className="mb-2 grid grid-cols-6 justify-items-center">
          {REACTIONS.map((emoji) => (
            <IconButton
              key={emoji}
              label={texts.stories.react(emoji)}
              onClick={() => handleReact(emoji)}
              disabled={sending.isPending}
              className="w-full! max-w-10 rounded-full! text-[22px] leading-none outline-white transition-transform hover:scale-120 hover:bg-transparent! active:scale-90"
            >
              <ReactionIcon emoji={emoji} className="size-6.5!" />
            </IconButton>
          ))}
        </div>
      )}
      <form
        onSubmit={handleSubmit}
        className="flex h-12 items-center rounded-full border border-white/70 ps-5 pe-1.5 focus-within:border-white focus-within:bg-black/35"
      >
        <input
          ref={field}
          dir="auto"
          aria-label={texts.stories.replyTo(username)}
          placeholder={texts.stories.replyTo(username)}
          value={draft.text}
          onChange={(event) => draft.setText(event.target.value)}
          data-limit={TEXT_LIMITS.message}
          onFocus={() => setHasFocus(true)}
          onBlur={() => setHasFocus(false)}
          readOnly={isClosed}
          aria-invalid={isTooLong || undefined}
          autoComplete="off"
          className="h-full min-w-0 flex-1 select-text bg-transparent text-[15px] outline-none placeholder:text-white/85"
        />
        {content !== '' && !isClosed && (
          <IconButton
            label={texts.stories.reply}
            type="submit"
            size="medium"
            disabled={!canSend}
            className="rounded-full! outline-white hover:bg-white/15!"
          >
            <SendHorizontal />
          </IconButton>
        )}
      </form>
      <CharactersLeft text={content} limit={TEXT_LIMITS.message} />
    </div>
  )
}

/** The status of the last reply, for a few seconds. */
function useStatus() {
  const [status, setStatus] = useState<{ state: 'sent' | 'waiting' } | null>(null)
  useEffect(() => {
    if (status === null) return
    const timer = setTimeout(() => setStatus(null), STATUS_MS)
    return () => clearTimeout(timer)
  }, [status])
  return [status?.state ?? null, (state: 'sent' | 'waiting') => setStatus({ state })] as const
}

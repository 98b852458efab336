import { X } from 'lucide-react'
import { type FormEvent, type KeyboardEvent, useEffect, useRef } from 'react'
import { CharactersLeft } from '#/renderer/components/CharactersLeft'
import { EmojiButton } from '#/renderer/components/EmojiButton'
import { IconButton } from '#/renderer/components/IconButton'
import { MentionArea } from '#/renderer/components/MentionArea'
import { useMe } from '#/renderer/features/auth'
import { exceeds } from '#/renderer/lib/rich-text'
import { texts } from '#/renderer/lib/texts'
import { TEXT_LIMITS } from '#/shared/limits'
import { trimText } from '#/shared/visible-text'
import { useSendCommentMutation } from '../comments/mutations'
import { type SentComment, useCommentDraft } from '../drafts'

interface CommentFormProps {
  postId: string
  onSent: (comment: SentComment) => void
  /** Whether the member opened it to write. */
  isFocused?: boolean
}

/** The field for a new comment: Enter sends, Shift and Enter insert a line break. A failed comment stays in it (FEED-07). */
export function CommentForm({ postId, onSent, isFocused = false }: CommentFormProps) {
  const { text, replyTo, setText, setReplyTo, take } = useCommentDraft(postId)
  const sending = useSendCommentMutation(postId)
  const content = trimText(text)
  const { id: me } = useMe()
  const field = useRef<HTMLTextAreaElement>(null)
  useEffect(() => {
    if (isFocused) field.current?.focus({ preventScroll: true })
  }, [isFocused])
  const isTooLong = exceeds(content, TEXT_LIMITS.comment)
  const canSend = content !== '' && !isTooLong && !sending.isPending

  const handleSubmit = (event: FormEvent | KeyboardEvent) => {
    event.preventDefault()
    if (!canSend) return
    sending.mutate(take(), { onSuccess: (_answer, { id, replyTo }) => onSent({ id, replyTo }) })
  }

  const handleKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && !event.shiftKey) return handleSubmit(event)
    if (event.key !== 'Escape') return
    // In a list this makes its shortcuts work again; in a dialog Escape closes the dialog.
    event.currentTarget.closest<HTMLElement>('[data-post]')?.focus({ preventScroll: true })
  }

  return (
    <form onSubmit={handleSubmit} className="px-4 py-2.5">
      {replyTo !== null && (
        <p className="flex items-center gap-1 text-[12.5px] text-quiet">
          <span role="status" className="min-w-0 truncate">
            {texts.post.replyingTo(replyTo.username)}
          </span>
          <IconButton
            label={texts.post.cancelReply}
            size="small"
            disabled={sending.isPending}
            onClick={() => {
              setReplyTo(null)
              field.current?.focus()
            }}
          >
            <X />
          </IconButton>
        </p>
      )}
      <div className="flex items-end gap-3">
        <MentionArea
          ref={field}
          rows={1}
          data-comment-field=""
          aria-label={texts.post.commentPlaceholder}
          placeholder={texts.post.commentPlaceholder}
          value={text}
          onText={setText}
          limit={TEXT_LIMITS.comment}
          onKeyDown={handleKeyDown}
          readOnly={sending.isPending}
          aria-invalid={isTooLong || undefined}
          className="field-sizing-content wrap-anywhere -ms-2 max-h-[calc(6lh+12px)] min-w-0 flex-1 resize-none rounded-sm bg-transparent px-2 py-1.5 text-[14px] leading-5 outline-ink outline-offset-0"
        />
        {!sending.isPending && <EmojiButton me={me} field={field} className="-mx-2 size-8!" />}
        <button
          type="submit"
          disabled={!canSend}
          className="-me-1 h-8 rounded-sm px-2 font-semibold text-[14px] text-accent transition-colors duration-150 hover:bg-accent-wash disabled:pointer-events-none disabled:opacity-45"
        >
          {texts.post.submitComment}
        </button>
      </div>
      <CharactersLeft text={content} limit={TEXT_LIMITS.comment} />
    </form>
  )
}

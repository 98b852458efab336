import { X } from 'lucide-react'
import { type FormEvent, type KeyboardEvent, useEffect, useRef } from 'react'
import { Alert } from '#/renderer/components/Alert'
import { CharactersLeft } from '#/renderer/components/CharactersLeft'
import { EmojiButton } from '#/renderer/components/EmojiButton'
import { IconButton } from '#/renderer/components/IconButton'
import { MentionArea } from '#/renderer/components/MentionArea'
import { PendingButton } from '#/renderer/components/PendingStatus'
import { Spinner } from '#/renderer/components/Spinner'
import { useMe } from '#/renderer/features/auth'
import { exceeds } from '#/renderer/lib/content/rich-text'
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

/**
 * The field for a new comment: Enter sends, Shift and Enter insert a line break. It is empty while a comment is sent, and takes the
 * next one, which Enter sends after it. A failed comment returns, or is offered beside what was typed since (FEED-07).
 */
export function CommentForm({ postId, onSent, isFocused = false }: CommentFormProps) {
  const draft = useCommentDraft(postId)
  const { text, replyTo, isSending, setReplyTo } = draft
  const sending = useSendCommentMutation(postId)
  const content = trimText(text)
  const { id: me } = useMe()
  const field = useRef<HTMLTextAreaElement>(null)
  useEffect(() => {
    if (isFocused) field.current?.focus({ preventScroll: true })
  }, [isFocused])
  const isTooLong = exceeds(content, TEXT_LIMITS.comment)
  const canSend = content !== '' && !isTooLong

  const handleSubmit = (event: FormEvent | KeyboardEvent) => {
    event.preventDefault()
    if (!canSend) return
    const taken = draft.take()
    // Not a callback of `mutate`, which is called for the last comment only. The mutation itself handles a failure.
    sending.mutateAsync(taken).then(
      () => onSent(taken),
      () => undefined,
    )
  }

  const handleKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && !event.shiftKey) return handleSubmit(event)
    if (event.key !== 'Escape') return
    // In a list this makes its shortcuts work again; in a dialog Escape closes the dialog.
    event.currentTarget.closest<HTMLElement>('[data-post]')?.focus({ preventScroll: true })
  }

  return (
    <form onSubmit={handleSubmit} className="px-4 py-2.5">
      {draft.failed.map(({ id, text, replyTo }) => (
        <Alert key={id}>
          {texts.outbox.notSent}
          <span dir="auto" className="wrap-anywhere mt-1 line-clamp-2 text-ink">
            {text}
          </span>
          <span className="mt-1 flex gap-3">
            <PendingButton
              label={texts.outbox.edit}
              isStrong
              onClick={async () => {
                draft.restore(id, text, replyTo)
                field.current?.focus()
              }}
            />
            <PendingButton label={texts.outbox.discard} onClick={async () => draft.clear(id)} />
          </span>
        </Alert>
      ))}
      {replyTo !== null && (
        <p className="flex items-center gap-1 text-[12.5px] text-quiet">
          <span role="status" className="min-w-0 truncate">
            {texts.post.replyingTo(replyTo.username)}
          </span>
          <IconButton
            label={texts.post.cancelReply}
            size="small"
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
          onText={draft.setText}
          limit={TEXT_LIMITS.comment}
          onKeyDown={handleKeyDown}
          aria-invalid={isTooLong || undefined}
          className="field-sizing-content wrap-anywhere -ms-2 max-h-[calc(6lh+12px)] min-w-0 flex-1 resize-none rounded-sm bg-transparent px-2 py-1.5 text-[14px] leading-5 outline-ink outline-offset-0"
        />
        {isSending && (
          <span className="mb-2 flex">
            <Spinner size={16} label={texts.outbox.sending} />
          </span>
        )}
        <EmojiButton me={me} field={field} className="-mx-2 size-8!" />
        <button
          type="submit"
          disabled={!canSend || isSending}
          className="-me-1 h-8 rounded-sm px-2 font-semibold text-[14px] text-accent transition-colors duration-150 hover:bg-accent-wash disabled:pointer-events-none disabled:opacity-45"
        >
          {texts.post.submitComment}
        </button>
      </div>
      <CharactersLeft text={content} limit={TEXT_LIMITS.comment} />
    </form>
  )
}

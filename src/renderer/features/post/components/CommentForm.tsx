import { type FormEvent, type KeyboardEvent, useEffect, useRef } from 'react'
import { CharactersLeft } from '#/renderer/components/CharactersLeft'
import { exceeds } from '#/renderer/lib/rich-text'
import { texts } from '#/renderer/lib/texts'
import { TEXT_LIMITS } from '#/shared/limits'
import { useSendCommentMutation } from '../comments'
import { useCommentDraft } from '../drafts'

interface CommentFormProps {
  postId: string
  onSent: (id: string) => void
  /** It opens on demand: one means to write. */
  isFocused?: boolean
}

/** The field under a post. A failed comment stays in it, and can be sent again (FEED-07). */
export function CommentForm({ postId, onSent, isFocused = false }: CommentFormProps) {
  const { text, setText, take } = useCommentDraft(postId)
  const sending = useSendCommentMutation(postId)
  const content = text.trim()
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (isFocused) input.current?.focus({ preventScroll: true })
  }, [isFocused])
  const isTooLong = exceeds(content, TEXT_LIMITS.comment)
  const canSend = content !== '' && !isTooLong && !sending.isPending

  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (!canSend) return
    sending.mutate(take(), { onSuccess: (_answer, { id }) => onSent(id) })
  }

  const handleKeyDown = (event: KeyboardEvent) => {
    // While an input method composes, Escape drops a word.
    if (event.key !== 'Escape' || event.nativeEvent.isComposing) return
    // In a list shortcuts work again then; around an open post Escape is the dialog's.
    event.currentTarget.closest<HTMLElement>('[data-post]')?.focus({ preventScroll: true })
  }

  return (
    <form onSubmit={handleSubmit} className="px-4 py-2.5">
      <div className="flex items-center gap-3">
        <input
          ref={input}
          data-comment-field=""
          dir="auto"
          aria-label={texts.post.commentPlaceholder}
          placeholder={texts.post.commentPlaceholder}
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={handleKeyDown}
          readOnly={sending.isPending}
          aria-invalid={isTooLong || undefined}
          autoComplete="off"
          className="-ms-2 h-8 min-w-0 flex-1 rounded-sm bg-transparent px-2 text-[14px] outline-ink outline-offset-0"
        />
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

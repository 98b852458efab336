import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, type KeyboardEvent, useEffect, useRef } from 'react'
import { CharactersLeft } from '#/renderer/components/CharactersLeft'
import { useMe } from '#/renderer/features/auth'
import { codePoints } from '#/renderer/lib/rich-text'
import { texts } from '#/renderer/lib/texts'
import { TEXT_LIMITS } from '#/shared/limits'
import { setDraft, useDraft } from '../drafts'
import { send } from '../sending'

/** The field for a message: Enter sends, Shift and Enter break the line (MSG-04). */
export function Composer({ conversationId }: { conversationId: string }) {
  const client = useQueryClient()
  const { id: me } = useMe()
  const draft = useDraft(conversationId)
  const field = useRef<HTMLTextAreaElement>(null)
  const content = draft.trim()
  const isTooLong = codePoints(content) > TEXT_LIMITS.message
  const canSend = content !== '' && !isTooLong

  // One opens a conversation to write; on touch screens the keyboard would cover it.
  useEffect(() => {
    if (window.matchMedia('(pointer: fine)').matches) field.current?.focus({ preventScroll: true })
  }, [])

  const submit = () => {
    if (!canSend) return
    const id = crypto.randomUUID()
    setDraft(conversationId, '')
    void send(client, me, {
      id,
      conversation_id: conversationId,
      content,
      created_at: new Date().toISOString(),
    })
  }

  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    submit()
    field.current?.focus()
  }

  const handleKeyDown = (event: KeyboardEvent) => {
    // While an input method composes, Enter chooses a word.
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    submit()
  }

  return (
    <form onSubmit={handleSubmit} className="shrink-0 px-4.5 pt-1 pb-4.5">
      <div className="flex items-end gap-1 rounded-[22px] border border-edge bg-raised py-1 ps-4 pe-1 focus-within:outline-2 focus-within:outline-ink">
        <textarea
          ref={field}
          rows={1}
          dir="auto"
          aria-label={texts.messages.placeholder}
          placeholder={texts.messages.placeholder}
          value={draft}
          onChange={(event) => setDraft(conversationId, event.target.value)}
          onKeyDown={handleKeyDown}
          aria-invalid={isTooLong || undefined}
          className="field-sizing-content max-h-[calc(6lh+12px)] min-w-0 flex-1 resize-none bg-transparent py-1.5 text-[15px] leading-[22px] outline-none"
        />
        <button
          type="submit"
          disabled={!canSend}
          className="h-8.5 shrink-0 rounded-full bg-accent px-4.5 font-semibold text-[14.5px] text-on-accent transition-[filter,opacity] duration-150 hover:brightness-108 disabled:pointer-events-none disabled:opacity-45"
        >
          {texts.messages.send}
        </button>
      </div>
      <CharactersLeft text={content} limit={TEXT_LIMITS.message} />
    </form>
  )
}

import { X } from 'lucide-react'
import { type FormEvent, type KeyboardEvent, useLayoutEffect, useRef } from 'react'
import { Alert } from '#/renderer/components/Alert'
import { CharactersLeft } from '#/renderer/components/CharactersLeft'
import { EmojiButton } from '#/renderer/components/EmojiButton'
import { IconButton } from '#/renderer/components/IconButton'
import { MentionArea } from '#/renderer/components/MentionArea'
import { exceeds } from '#/renderer/lib/content/rich-text'
import { texts } from '#/renderer/lib/texts'
import { composeText } from '#/shared/composed-text'
import { TEXT_LIMITS } from '#/shared/limits'
import { trimText } from '#/shared/visible-text'
import { type Editing, editMessage, startSaving, stopEditing } from '../editing-store'
import { useEditMutation, useIsSavingEdit } from '../mutations/messages'
import { FIELD_CLASS, FIELD_FRAME_CLASS, SEND_CLASS } from './field-classes'

const BUTTON_CLASS = 'font-semibold underline underline-offset-2'

/** Above the composer: a change that was not saved while the member was typing. */
export function FailedEdit({ editing: { message, reason } }: { editing: Editing }) {
  return (
    <div className="shrink-0 px-3 pt-1 pb-1.5 md:px-4.5">
      <Alert>
        {texts.messages.notSaved} {reason}
        <span className="mt-1 flex gap-3">
          <button type="button" onClick={() => editMessage(message)} className={BUTTON_CLASS}>
            {texts.messages.edit}
          </button>
          <button type="button" onClick={() => stopEditing(message)} className={BUTTON_CLASS}>
            {texts.messages.discard}
          </button>
        </span>
      </Alert>
    </div>
  )
}

/** Replaces the composer while the member edits a message: Enter saves, Escape cancels (MSG-14). */
export function EditComposer({ editing: { message, text, reason } }: { editing: Editing }) {
  const { mutate } = useEditMutation()
  const isSavingEdit = useIsSavingEdit()
  const field = useRef<HTMLTextAreaElement>(null)
  const content = trimText(text)
  const canSave = content !== '' && !exceeds(content, TEXT_LIMITS.message)
  const close = () => stopEditing(message)

  // At once for an edit that returns, so that no key is lost, and again because the menu keeps the focus until it has closed.
  useLayoutEffect(() => {
    const focus = () => {
      if (document.activeElement === field.current) return
      const end = field.current?.value.length ?? 0
      field.current?.focus({ preventScroll: true })
      field.current?.setSelectionRange(end, end)
    }
    focus()
    const frame = requestAnimationFrame(focus)
    return () => cancelAnimationFrame(frame)
  }, [])

  const save = () => {
    if (!canSave) return
    // An earlier change may still be on its way.
    if (content === composeText(message.content) && !isSavingEdit()) close()
    else mutate(startSaving(message, content))
  }
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    save()
  }
  const handleKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') close()
    else if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault()
      save()
    }
  }

  return (
    <form onSubmit={handleSubmit} className="shrink-0 px-3 pt-1 pb-3 md:px-4.5 md:pb-4.5">
      {reason !== null && (
        <div className="mb-2">
          <Alert>
            {texts.messages.notSaved} {reason}
          </Alert>
        </div>
      )}
      <div className="mb-2 flex animate-appear items-center gap-2.5 rounded-e-md border-accent border-s-2 bg-sunk py-1 ps-3 pe-1">
        <p className="min-w-0 flex-1 truncate font-semibold text-[13px]">{texts.messages.editing}</p>
        <IconButton label={texts.messages.cancelEdit} size="small" onClick={close} className="text-quiet">
          <X />
        </IconButton>
      </div>
      <div className={`${FIELD_FRAME_CLASS} ps-3`}>
        <MentionArea
          ref={field}
          rows={1}
          aria-label={texts.messages.editField}
          value={text}
          onText={(typed) => editMessage(message, typed)}
          limit={TEXT_LIMITS.message}
          onKeyDown={handleKeyDown}
          aria-invalid={exceeds(content, TEXT_LIMITS.message) || undefined}
          className={FIELD_CLASS}
        />
        <EmojiButton me={message.sender_id} field={field} />
        <button type="submit" disabled={!canSave} className={SEND_CLASS}>
          {texts.messages.saveEdit}
        </button>
      </div>
      <CharactersLeft text={content} limit={TEXT_LIMITS.message} />
    </form>
  )
}

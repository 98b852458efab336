import { useQueryClient } from '@tanstack/react-query'
import { ImagePlus } from 'lucide-react'
import { type FormEvent, type KeyboardEvent, useEffect, useEffectEvent, useRef, useState } from 'react'
import { Alert } from '#/renderer/components/Alert'
import { CharactersLeft } from '#/renderer/components/CharactersLeft'
import { EmojiButton } from '#/renderer/components/EmojiButton'
import { IconButton } from '#/renderer/components/IconButton'
import { MentionArea } from '#/renderer/components/MentionArea'
import { useMe } from '#/renderer/features/auth'
import { useDropAndPaste } from '#/renderer/lib/browser/useDropAndPaste'
import { codePoints } from '#/renderer/lib/content/rich-text'
import { fileRefusal } from '#/renderer/lib/media'
import { texts } from '#/renderer/lib/texts'
import { TEXT_LIMITS } from '#/shared/limits'
import { trimText } from '#/shared/visible-text'
import { setDraftAttachments, useDraftAttachments } from '../draft-attachments-store'
import { setDraft, useDraft } from '../drafts-store'
import { sendDraft } from '../mutations/send'
import { useOutgoing } from '../outgoing'
import { refetchConversations } from '../queries/conversations'
import { useMessagePhoto } from '../useMessagePhoto'
import { PhotoPreview, ReplyPreview } from './DraftPreviews'
import { FIELD_CLASS, FIELD_FRAME_CLASS, SEND_CLASS } from './field-classes'

interface ComposerProps {
  conversationId: string
  isGroup: boolean
  otherName: string
  onType: () => void
  /** Edits the last message that can be edited. */
  onEditLast: () => void
  /** Another form takes its place. */
  isHidden: boolean
}

/** The field for a new message: Enter sends, Shift and Enter insert a line break (MSG-04). */
export function Composer({
  conversationId,
  isGroup,
  otherName,
  onType,
  onEditLast,
  isHidden,
}: ComposerProps) {
  const client = useQueryClient()
  const { id: me } = useMe()
  const draft = useDraft(conversationId)
  const { replyToId, photo } = useDraftAttachments(conversationId)
  const { isAsking, pickPhoto, takePhoto, removePhoto } = useMessagePhoto(conversationId)
  // If the server refuses it, the photo returns to the field, which has room for one.
  const isPhotoInFlight = useOutgoing(conversationId).some(
    ({ message, delivery }) => delivery === 'sending' && message.media_id !== null,
  )
  const isDragging = useDropAndPaste(takePhoto, !isPhotoInFlight && !isHidden)
  const field = useRef<HTMLTextAreaElement>(null)
  /** Why the server refused the last message, in its own words for the member; may be empty. */
  const [refusal, setRefusal] = useState('')

  const content = trimText(draft)
  const isTooLong = codePoints(content) > TEXT_LIMITS.message
  // A large file takes a moment until it is read.
  const isPreparing = photo.state === 'working' || isAsking
  const hasPhoto = photo.state === 'ready' || isPreparing
  // Sent while the photo was being prepared; whatever the member changes meanwhile, they send again.
  const [isQueued, setIsQueued] = useState(false)
  const canSend = (content !== '' || hasPhoto) && !isTooLong && !isQueued

  // Members open a conversation or a reply to write; on touch screens the keyboard would cover it.
  useEffect(() => {
    if (isHidden || isSearchingMembers()) return
    if (window.matchMedia('(pointer: fine)').matches || replyToId !== null)
      field.current?.focus({ preventScroll: true })
  }, [replyToId, isHidden])

  const submit = () => {
    if (!canSend) return
    if (isPreparing) setIsQueued(true)
    else send()
  }

  const send = () => {
    const message = {
      conversation_id: conversationId,
      content,
      ...(draft !== content && { typed: draft }),
      ...(replyToId !== null && { reply_to_id: replyToId }),
      ...(photo.state === 'ready' && { photo: photo.photo }),
    }
    setRefusal('')
    void sendDraft(message, ({ code, message: reason }) => {
      if (code === 'forbidden') setRefusal(reason)
      // The server may have refused the message because the conversation was closed.
      void refetchConversations(client)
    })
  }

  const handlePrepared = useEffectEvent(() => {
    setIsQueued(false)
    if (photo.state === 'ready') send()
  })
  useEffect(() => {
    if (isQueued && !isPreparing) handlePrepared()
  }, [isQueued, isPreparing])

  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    submit()
    field.current?.focus()
  }

  // Keys pressed next belong to the message; on the button they would trigger shortcuts.
  const handlePickPhoto = () => void pickPhoto(() => field.current?.focus())

  const handleRemovePhoto = () => {
    removePhoto()
    field.current?.focus()
  }

  const handleText = (text: string) => {
    setDraft(conversationId, text)
    setIsQueued(false)
    if (trimText(text) !== '') onType()
  }

  const handleKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && replyToId !== null) {
      setDraftAttachments(conversationId, { replyToId: null })
    } else if (event.key === 'ArrowUp' && draft === '') {
      event.preventDefault()
      onEditLast()
    } else if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault()
      submit()
    }
  }

  return (
    <form hidden={isHidden} onSubmit={handleSubmit} className="shrink-0 px-3 pt-1 pb-3 md:px-4.5 md:pb-4.5">
      {replyToId !== null && (
        <ReplyPreview
          conversationId={conversationId}
          id={replyToId}
          isGroup={isGroup}
          otherName={otherName}
          onCancel={() => setDraftAttachments(conversationId, { replyToId: null })}
        />
      )}
      {refusal !== '' && (
        <div className="mb-2">
          <Alert>{refusal}</Alert>
        </div>
      )}
      {photo.state === 'refused' && (
        <div className="mb-2">
          <Alert>{fileRefusal(photo.name, photo.code)}</Alert>
        </div>
      )}
      {(photo.state === 'working' || photo.state === 'ready') && (
        <PhotoPreview photo={photo} onRemove={handleRemovePhoto} />
      )}
      <div className={`${FIELD_FRAME_CLASS} ps-1.5`}>
        <IconButton
          label={texts.messages.addPhoto}
          size="medium"
          disabled={isPhotoInFlight}
          onClick={handlePickPhoto}
          className="rounded-full! text-quiet [&_svg]:size-5! [&_svg]:stroke-[1.75]"
        >
          <ImagePlus />
        </IconButton>
        <MentionArea
          ref={field}
          data-focus-fallback=""
          rows={1}
          aria-label={texts.messages.placeholder}
          placeholder={texts.messages.placeholder}
          value={draft}
          onText={handleText}
          limit={TEXT_LIMITS.message}
          onKeyDown={handleKeyDown}
          aria-invalid={isTooLong || undefined}
          className={FIELD_CLASS}
        />
        <EmojiButton me={me} field={field} />
        <button type="submit" disabled={!canSend} className={SEND_CLASS}>
          {texts.messages.send}
        </button>
      </div>
      {isQueued && (
        <p role="status" className="px-1 pt-1.5 text-[12.5px] text-quiet">
          {texts.messages.sendsWhenReady}
        </p>
      )}
      <CharactersLeft text={content} limit={TEXT_LIMITS.message} />
      {isDragging && (
        <div className="pointer-events-none absolute inset-0 z-10 grid place-items-center bg-paper/85 font-display text-[22px]">
          {texts.messages.dropPhoto}
        </div>
      )}
    </form>
  )
}

/** Whether the member is typing the name of another member: those keys must not become a message to this one. */
function isSearchingMembers(): boolean {
  const { activeElement } = document
  return (
    activeElement instanceof HTMLInputElement &&
    activeElement.role === 'combobox' &&
    activeElement.value !== ''
  )
}

import { X } from 'lucide-react'
import { FileNote } from '#/renderer/components/FileNote'
import { IconButton } from '#/renderer/components/IconButton'
import { useMe } from '#/renderer/features/auth'
import { useLocalUrl } from '#/renderer/lib/browser/object-url'
import { type PreparedPicture, thumbnailOf } from '#/renderer/lib/media'
import { texts } from '#/renderer/lib/texts'
import type { DraftPhoto } from '../draft-attachments-store'
import { previewOf } from '../model/conversation'
import { useQuotedQuery } from '../queries/messages'
import { useWriterName } from '../queries/names'
import { MessageThumbnail } from './MessagePhoto'

interface PhotoPreviewProps {
  photo: Extract<DraftPhoto, { state: 'working' | 'ready' }>
  onRemove: () => void
}

/** The photo of the draft, or the progress of its preparation. */
export function PhotoPreview({ photo, onRemove }: PhotoPreviewProps) {
  return (
    <div className="mb-2 grid animate-appear gap-1.5">
      <div className="relative w-fit">
        {photo.state === 'ready' ? (
          <ReadyPhoto picture={photo.photo.picture} />
        ) : (
          <WorkingPhoto progress={photo.progress} preview={photo.preview} />
        )}
        <IconButton
          label={photo.state === 'ready' ? texts.messages.removePhoto : texts.cancel}
          size="small"
          onClick={onRemove}
          className="absolute! -end-2.5 -top-2.5 rounded-full! border border-line bg-raised shadow-card"
        >
          <X />
        </IconButton>
      </div>
      {photo.state === 'ready' && photo.photo.note !== undefined && (
        <FileNote note={photo.photo.note} use="message" />
      )}
    </div>
  )
}

/** The progress, over a small version of the photo once there is one. */
function WorkingPhoto({ progress, preview }: { progress: number; preview: Blob | null }) {
  const url = useLocalUrl(preview)
  return (
    <div className="relative grid h-28 min-w-40 place-items-center overflow-hidden rounded-md border border-line bg-sunk">
      {url !== null && <img src={url} alt="" className="h-full max-w-60 object-contain" />}
      <progress
        value={progress}
        aria-label={texts.messages.preparingPhoto}
        className={`absolute inset-x-4 h-1.5 w-auto ${url === null ? '' : 'bottom-3'}`}
      />
    </div>
  )
}

function ReadyPhoto({ picture }: { picture: PreparedPicture }) {
  const url = useLocalUrl(thumbnailOf(picture))
  return (
    <img
      src={url ?? undefined}
      alt={texts.messages.photoDraft}
      className="h-28 max-w-60 rounded-md border border-line bg-sunk object-contain"
    />
  )
}

interface ReplyPreviewProps {
  conversationId: string
  id: string
  isGroup: boolean
  otherName: string
  onCancel: () => void
}

/** The message that the draft replies to. */
export function ReplyPreview({ conversationId, id, isGroup, otherName, onCancel }: ReplyPreviewProps) {
  const { id: me } = useMe()
  const quoted = useQuotedQuery(conversationId, id)
  const isOwn = quoted?.sender_id === me
  const writer = useWriterName(isGroup, quoted?.sender_id ?? null, otherName)
  return (
    <div className="mb-2 flex animate-appear items-center gap-2.5 rounded-e-md border-accent border-s-2 bg-sunk py-1 ps-3 pe-1">
      {quoted?.media_id != null && <MessageThumbnail message={quoted} photoId={quoted.media_id} />}
      <div className="min-w-0 flex-1 text-[13px] leading-tight">
        <p className="truncate font-semibold">
          {isOwn ? texts.messages.replyingToYourself : texts.messages.replyingTo(writer)}
        </p>
        <p dir="auto" className="truncate text-quiet">
          {quoted != null && previewOf(quoted)}
        </p>
      </div>
      <IconButton label={texts.messages.cancelReply} size="small" onClick={onCancel} className="text-quiet">
        <X />
      </IconButton>
    </div>
  )
}

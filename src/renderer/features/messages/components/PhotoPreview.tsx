import { X } from 'lucide-react'
import { IconButton } from '#/renderer/components/IconButton'
import { texts } from '#/renderer/lib/texts'
import type { DraftPhoto } from '../draft-attachments'

interface PhotoPreviewProps {
  photo: Extract<DraftPhoto, { state: 'working' | 'ready' }>
  onRemove: () => void
}

/** Above the field: the photo that goes with the message, or how far it is made ready. */
export function PhotoPreview({ photo, onRemove }: PhotoPreviewProps) {
  return (
    <div className="relative mb-2 w-fit animate-appear">
      {photo.state === 'ready' ? (
        <img
          src={photo.photo.thumbnail_url}
          alt={texts.messages.photoDraft}
          className="h-28 max-w-60 rounded-md border border-line bg-sunk object-contain"
        />
      ) : (
        <div className="grid h-28 w-40 place-items-center rounded-md border border-line bg-sunk px-4">
          <progress
            value={photo.progress}
            aria-label={texts.messages.preparingPhoto}
            className="h-1.5 w-full accent-accent"
          />
        </div>
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
  )
}

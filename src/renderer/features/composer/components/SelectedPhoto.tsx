import { ArrowLeft, ArrowRight, SlidersHorizontal, Trash2 } from 'lucide-react'
import { Button } from '#/renderer/components/Button'
import { FileNote } from '#/renderer/components/FileNote'
import { IconButton } from '#/renderer/components/IconButton'
import { LimitedField } from '#/renderer/components/LimitedField'
import { texts } from '#/renderer/lib/texts'
import { composePhotos as words } from '#/renderer/lib/texts/later/compose-photos'
import { TEXT_LIMITS } from '#/shared/limits'
import { dispatch } from '../composer-store'
import type { DraftPhoto } from '../model'
import { CameraChips } from './CameraChips'

interface SelectedPhotoProps {
  photo: DraftPhoto
  /** Index of the photo. */
  position: number
  count: number
  isLocked: boolean
  onEdit: () => void
  onMove: (to: number) => void
  onRemove: () => void
}

/** Actions for the selected photo, and its alternative text. */
export function SelectedPhoto({
  photo,
  position,
  count,
  isLocked,
  onEdit,
  onMove,
  onRemove,
}: SelectedPhotoProps) {
  const { id, altText } = photo
  return (
    <>
      <div className="flex flex-wrap items-center gap-2">
        <Button onClick={onEdit} disabled={isLocked}>
          <SlidersHorizontal aria-hidden="true" className="size-4" />
          {words.edit}
        </Button>
        {count > 1 && (
          <div className="flex">
            <IconButton
              label={words.moveEarlier}
              size="medium"
              aria-disabled={position === 0}
              disabled={isLocked}
              onClick={() => onMove(position - 1)}
              className="aria-disabled:opacity-45"
            >
              <ArrowLeft aria-hidden="true" className="rtl:-scale-x-100" />
            </IconButton>
            <IconButton
              label={words.moveLater}
              size="medium"
              aria-disabled={position === count - 1}
              disabled={isLocked}
              onClick={() => onMove(position + 1)}
              className="aria-disabled:opacity-45"
            >
              <ArrowRight aria-hidden="true" className="rtl:-scale-x-100" />
            </IconButton>
          </div>
        )}
        <IconButton
          label={texts.composer.removePhoto}
          size="medium"
          onClick={onRemove}
          disabled={isLocked}
          className="ms-auto"
        >
          <Trash2 aria-hidden="true" />
        </IconButton>
      </div>
      {photo.note !== null && <FileNote note={photo.note} use="post" />}
      <p className="min-h-[2lh] text-[12.5px] text-quiet">{publishedText(photo)}</p>
      <LimitedField
        key={id}
        label={count === 1 ? texts.composer.altLabel : words.altOf(position + 1)}
        placeholder={texts.composer.altPlaceholder}
        value={altText}
        limit={TEXT_LIMITS.altText}
        onChange={(value) => dispatch({ type: 'photo-described', id, altText: value })}
        readOnly={isLocked}
      />
      <CameraChips key={`camera ${id}`} photo={photo} isLocked={isLocked} />
    </>
  )
}

/** What of the photo will leave this computer: about, until it is prepared. */
function publishedText({ picture, preview, work, shown }: DraftPhoto): string {
  const hasCamera = shown.some((field) => field !== 'film')
  if (work === null && picture !== null && 'full' in picture) {
    const { width, height, full, colorSpace } = picture
    return words.published({ width, height, bytes: full.size }, colorSpace === 'display-p3', hasCamera)
  }
  if (preview === null) return ''
  return words.willBePublished(preview, preview.colorSpace === 'display-p3', hasCamera)
}

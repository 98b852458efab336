import { ArrowLeft, ArrowRight, Scissors, SlidersHorizontal, Trash2 } from 'lucide-react'
import { Button } from '#/renderer/components/Button'
import { FileNote } from '#/renderer/components/FileNote'
import { IconButton } from '#/renderer/components/IconButton'
import { LimitedField } from '#/renderer/components/LimitedField'
import { texts } from '#/renderer/lib/texts'
import { composeVideo, composePhotos as words } from '#/renderer/lib/texts/later/compose-photos'
import { TEXT_LIMITS } from '#/shared/limits'
import { dispatch } from '../composer-store'
import type { DraftPhoto } from '../draft-photo'
import { type DraftMedium, isVideo } from '../model'
import { CameraChips } from './CameraChips'
import { SelectedVideo } from './SelectedVideo'

interface SelectedMediumProps {
  medium: DraftMedium
  /** Index of the photo or video. */
  position: number
  /** Of each photo and video of the post, whether it is a video. */
  videos: readonly boolean[]
  isLocked: boolean
  onEdit: () => void
  onMove: (to: number) => void
  onRemove: () => void
}

/** Actions for the selected photo or video, and its alternative text. */
export function SelectedMedium({
  medium,
  position,
  videos,
  isLocked,
  onEdit,
  onMove,
  onRemove,
}: SelectedMediumProps) {
  const { id, altText } = medium
  const count = videos.length
  return (
    <>
      <div className="flex flex-wrap items-center gap-2">
        {isVideo(medium) ? (
          <Button onClick={onEdit} disabled={isLocked || medium.source === null}>
            <Scissors aria-hidden="true" className="size-4" />
            {composeVideo.trim}
          </Button>
        ) : (
          <Button onClick={onEdit} disabled={isLocked}>
            <SlidersHorizontal aria-hidden="true" className="size-4" />
            {words.edit}
          </Button>
        )}
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
          label={isVideo(medium) ? composeVideo.remove : texts.composer.removePhoto}
          size="medium"
          onClick={onRemove}
          disabled={isLocked}
          className="ms-auto"
        >
          <Trash2 aria-hidden="true" />
        </IconButton>
      </div>
      {isVideo(medium) ? (
        <SelectedVideo video={medium} isLocked={isLocked} />
      ) : (
        <>
          {medium.note !== null && <FileNote note={medium.note} use="post" />}
          <p className="min-h-[2lh] text-[12.5px] text-quiet">{publishedText(medium)}</p>
        </>
      )}
      <LimitedField
        key={id}
        label={count === 1 ? texts.composer.altLabel : words.altOf(position + 1, isVideo(medium))}
        placeholder={texts.composer.altPlaceholder}
        value={altText}
        limit={TEXT_LIMITS.altText}
        onChange={(value) => dispatch({ type: 'medium-described', id, altText: value })}
        readOnly={isLocked}
      />
      {!isVideo(medium) && <CameraChips key={`camera ${id}`} photo={medium} isLocked={isLocked} />}
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

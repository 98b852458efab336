import { ImagePlus } from 'lucide-react'
import { useEffect } from 'react'
import { Alert } from '#/renderer/components/Alert'
import { Button } from '#/renderer/components/Button'
import { FramedPhoto, PhotoFrame } from '#/renderer/components/PhotoFrame'
import { ProgressOverlay } from '#/renderer/components/ProgressOverlay'
import { desktop } from '#/renderer/features/desktop'
import { logIfFails } from '#/renderer/lib/logger'
import {
  createMediaChooser,
  type MediaChoice,
  type PreparedPicture,
  preparePicture,
  previewOf,
} from '#/renderer/lib/media'
import { preparedSource } from '#/renderer/lib/media-store'
import { useLocalUrl } from '#/renderer/lib/object-url'
import { cancelRow, useUploadProgress } from '#/renderer/lib/outbox'
import { columnSizes } from '#/renderer/lib/photo-frame'
import { texts } from '#/renderer/lib/texts'
import { useDropAndPaste } from '#/renderer/lib/useDropAndPaste'
import { dispatch } from '../composer-store'

interface PhotoPickerProps {
  photo: MediaChoice<PreparedPicture>
  /** The picture that would be shared now. */
  picture: PreparedPicture | null
  isLocked: boolean
  /** The post that is being sent. */
  sendingId: string | null
}

/** Chooses a photo by dialog, drop or paste, and shows it as it will be shared. */
export function PhotoPicker({ photo, picture, isLocked, sendingId }: PhotoPickerProps) {
  const { pickPhoto, takePhoto, cancelPhoto } = usePhoto()
  const isDragging = useDropAndPaste(takePhoto, !isLocked)
  const isWorking = photo.state === 'working'
  const url = useLocalUrl(picture && previewOf(picture))
  const uploaded = useUploadProgress(sendingId)
  return (
    <div className="grid gap-3">
      <div
        className={`relative grid overflow-hidden rounded-lg border bg-sunk transition-colors duration-150 ${picture === null ? 'min-h-85 place-items-center md:min-h-110' : ''} ${isDragging ? 'border-accent' : picture === null ? 'border-edge border-dashed' : 'border-line'}`}
      >
        {picture !== null && (
          <PhotoFrame photo={picture}>
            <FramedPhoto
              photo={{ ...picture, source: preparedSource(picture, url) }}
              alt={texts.composer.previewAlt}
              sizes={columnSizes(picture)}
            />
          </PhotoFrame>
        )}
        {picture === null && !isWorking && (
          <div className={`grid justify-items-center gap-3 p-8 text-center ${isDragging ? 'invisible' : ''}`}>
            <ImagePlus aria-hidden="true" className="size-10 stroke-[1.25] text-quiet" />
            <Button variant="primary" onClick={pickPhoto} disabled={isLocked}>
              {texts.composer.choosePhoto}
            </Button>
            <p className="text-[13.5px] text-quiet">{texts.composer.dropHint}</p>
          </div>
        )}
        {isWorking && (
          <ProgressOverlay label={texts.composer.working} progress={photo.progress} onCancel={cancelPhoto} />
        )}
        {uploaded !== null && sendingId !== null && (
          <ProgressOverlay
            label={texts.composer.uploading}
            progress={uploaded}
            onCancel={() => logIfFails('outbox', cancelRow(sendingId))}
          />
        )}
        {isDragging && (
          <div className="absolute inset-0 grid place-items-center bg-paper/85 p-6 text-center font-display text-[22px]">
            {texts.composer.dropHere}
          </div>
        )}
      </div>
      {photo.state === 'refused' && <Alert>{texts.media[photo.code]}</Alert>}
      {picture !== null && !isWorking && (
        <div className="flex gap-2.5">
          <Button onClick={pickPhoto} disabled={isLocked}>
            {texts.composer.changePhoto}
          </Button>
          <Button variant="quiet" onClick={() => dispatch({ type: 'photo-removed' })} disabled={isLocked}>
            {texts.composer.removePhoto}
          </Button>
        </div>
      )}
    </div>
  )
}

const chooser = createMediaChooser({
  what: 'choose photo',
  prepare: preparePicture,
  onChange: (change) => dispatch({ type: 'photo', change }),
})

const pickPhoto = () => chooser.takeFile(() => desktop.files.pick('photo'))

/** Takes the post's photo from the file dialog, the system, or a Blob. */
export function usePhoto() {
  // Leaving the screen cancels the preparation; the previous picture stays.
  useEffect(() => chooser.cancel, [])

  // Files dropped on the app's icon or named on its command line, before or after the screen opened.
  useEffect(() => {
    const takeOpened = () => void chooser.takeFile(desktop.files.takeOpened)
    takeOpened()
    return desktop.files.onOpened(takeOpened)
  }, [])

  return { pickPhoto, takePhoto: chooser.take, cancelPhoto: chooser.cancel }
}

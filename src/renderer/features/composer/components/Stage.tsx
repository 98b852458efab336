import { FramedPhoto, PhotoFrame } from '#/renderer/components/PhotoFrame'
import { ProgressOverlay } from '#/renderer/components/ProgressOverlay'
import { VideoMark } from '#/renderer/components/VideoMark'
import { useLocalUrl } from '#/renderer/lib/browser/object-url'
import { columnSizes, fittedStyle } from '#/renderer/lib/layout/photo-frame'
import { previewOf } from '#/renderer/lib/media'
import { localSource, preparedSource } from '#/renderer/lib/media-store'
import { texts } from '#/renderer/lib/texts'
import { composeVideo } from '#/renderer/lib/texts/later/compose-photos'
import { type DraftVideo, lengthOf } from '../draft-video'
import { type DraftMedium, isVideo, shownPicture } from '../model'
import { photoWork } from '../photo-work-store'
import { VideoPreview } from './VideoPreview'

interface StageProps {
  medium: DraftMedium
  /** All photos and videos of the post: they share a frame. */
  media: readonly DraftMedium[]
  isLocked: boolean
}

/** The selected photo or video as the post will show it: whole, on the paper, in a frame that all share. */
export function Stage({ medium, media, isLocked }: StageProps) {
  const shown = shownPicture(medium)
  const url = useLocalUrl(shown && ('file' in shown ? shown.file : previewOf(shown)))
  const sizes = media.flatMap((each) => shownPicture(each) ?? [])
  const progress = shown === null && !isLocked && medium.work?.failure === null && (
    <ProgressOverlay
      label={isVideo(medium) ? texts.composer.reading : texts.composer.working}
      progress={medium.work.progress}
      onCancel={() => photoWork.remove(medium.id)}
    />
  )
  // While the medium is decoded, the frame has the shape of the other media.
  if (sizes.length === 0) return progress
  const ready = isVideo(medium) && medium.work === null ? medium.video : null
  return (
    <PhotoFrame photos={sizes} data-stage="">
      {progress}
      {isVideo(medium) && ready !== null && <VideoPreview key={medium.id} medium={medium} video={ready} />}
      {shown !== null && ready === null && (
        <FramedPhoto
          photo={{
            width: shown.width,
            height: shown.height,
            source: 'file' in shown ? localSource(url) : preparedSource(shown, url),
          }}
          alt={isVideo(medium) ? composeVideo.cover : texts.composer.previewAlt}
          sizes={columnSizes(shown)}
          className="rounded-sm"
        >
          {isVideo(medium) && (
            <div style={fittedStyle(shown)} className="absolute inset-0 my-auto">
              <VideoMark durationMs={lengthOf(medium) * 1_000} className="absolute start-2 bottom-2" />
              {!isLocked && <Conversion medium={medium} />}
            </div>
          )}
        </FramedPhoto>
      )}
    </PhotoFrame>
  )
}

/** How far a video is converted, over its cover. */
function Conversion({ medium: { id, work, isHeld } }: { medium: DraftVideo }) {
  if (work === null || work.failure !== null || (isHeld && work.progress === 0)) return null
  const { progress, secondsLeft } = work
  return (
    <ProgressOverlay
      label={composeVideo.converting}
      progress={progress}
      detail={composeVideo.secondsLeft(secondsLeft)}
      onCancel={() => photoWork.holdVideo(id)}
      isOverPreview
    />
  )
}

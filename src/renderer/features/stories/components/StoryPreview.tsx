import { Volume2, VolumeX } from 'lucide-react'
import { useState } from 'react'
import { IconButton } from '#/renderer/components/IconButton'
import { useLocalUrl, useObjectUrl } from '#/renderer/lib/browser/object-url'
import { type PreparedMedia, type PreparedPicture, previewOf, storyThumbnailOf } from '#/renderer/lib/media'
import { texts } from '#/renderer/lib/texts'
import { STORY } from '#/shared/limits'
import { Backdrop, MEDIA_CLASS, StoryCaption, StoryFoot, StoryFrame } from './StoryFrame'

/** Of the frame, where the form is wide enough for two columns: the dialog has one size, whatever is in it. */
export const FRAME_HEIGHT = 'h-[min(560px,calc(100dvh-150px))]'

interface StoryPreviewProps {
  media: PreparedMedia
  caption: string | null
}

/** The story as viewers will see it. */
export function StoryPreview({ media, caption }: StoryPreviewProps) {
  const [isOpen, setIsOpen] = useState(false)
  const thumbnail = useLocalUrl(storyThumbnailOf(media))
  return (
    <StoryFrame className="@container-size size-full rounded-lg">
      {thumbnail !== null && <Backdrop thumbnail={thumbnail} />}
      {media.kind === 'image' ? <PicturePreview picture={media} /> : <VideoPreview video={media.video} />}
      {caption !== null && (
        <StoryFoot>
          <StoryCaption text={caption} isOpen={isOpen} onToggle={setIsOpen} isPreview />
        </StoryFoot>
      )}
    </StoryFrame>
  )
}

function PicturePreview({ picture }: { picture: PreparedPicture }) {
  const url = useLocalUrl(previewOf(picture))
  return (
    <img src={url ?? undefined} alt={texts.makeStory.preview} draggable={false} className={MEDIA_CLASS} />
  )
}

/** Loops the part of a video that viewers will see. */
function VideoPreview({ video }: { video: Blob }) {
  const url = useObjectUrl(video)
  const [isMuted, setIsMuted] = useState(true)
  if (url === null) return null
  return (
    <>
      <video
        src={url}
        aria-label={texts.makeStory.preview}
        autoPlay
        loop
        muted={isMuted}
        playsInline
        onTimeUpdate={({ currentTarget }) => {
          if (currentTarget.currentTime >= STORY.videoMs / 1_000) currentTarget.currentTime = 0
        }}
        className={MEDIA_CLASS}
      />
      <IconButton
        label={isMuted ? texts.stories.soundOn : texts.stories.soundOff}
        size="medium"
        onClick={() => setIsMuted(!isMuted)}
        className="absolute! end-2.5 top-2.5 rounded-full! bg-black/45 hover:bg-black/65!"
      >
        {isMuted ? <VolumeX /> : <Volume2 />}
      </IconButton>
    </>
  )
}

import { Volume2, VolumeX } from 'lucide-react'
import { useState } from 'react'
import { IconButton } from '#/renderer/components/IconButton'
import type { PreparedMedia } from '#/renderer/lib/media'
import { texts } from '#/renderer/lib/texts'
import { STORY } from '#/shared/limits'
import { Backdrop, MEDIA_CLASS, StoryCaption, StoryFrame } from '../components/StoryFrame'
import { useObjectUrl } from '../useObjectUrl'

interface StoryPreviewProps {
  media: PreparedMedia
  caption: string | null
}

/** A story as it will be watched, with its caption over it. */
export function StoryPreview({ media, caption }: StoryPreviewProps) {
  return (
    <StoryFrame className="@container-size size-full rounded-lg">
      <Backdrop still={media.thumbnailUrl} />
      {media.kind === 'image' ? (
        <img src={media.dataUrl} alt={texts.makeStory.preview} draggable={false} className={MEDIA_CLASS} />
      ) : (
        <VideoPreview video={media.video} />
      )}
      {caption !== null && (
        <div className="absolute inset-x-0 bottom-0 bg-linear-to-t from-black/80 via-black/50 via-65% to-transparent pt-20">
          <StoryCaption text={caption} />
        </div>
      )}
    </StoryFrame>
  )
}

/** Plays what will be shown of a video, again and again; without its sound until that is asked for. */
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

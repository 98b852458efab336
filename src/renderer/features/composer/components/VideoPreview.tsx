import { useMemo } from 'react'
import { useLocalUrl, useObjectUrl } from '#/renderer/lib/browser/object-url'
import { fittedStyle } from '#/renderer/lib/layout/photo-frame'
import { type PreparedPostVideo, previewOf } from '#/renderer/lib/media'
import { composeVideo as words } from '#/renderer/lib/texts/later/compose-photos'
import { videoPlayer } from '#/renderer/lib/texts/later/video-player'
import { captionsOf, type DraftVideo } from '../draft-video'

interface VideoPreviewProps {
  medium: DraftVideo
  video: PreparedPostVideo
}

/** The converted video with its cover and captions, as it will be posted. */
export function VideoPreview({ medium, video: { video, cover } }: VideoPreviewProps) {
  const url = useObjectUrl(video)
  const poster = useLocalUrl(previewOf(cover))
  const { captions, edit } = medium
  const text = useMemo(() => captionsOf({ captions, edit }), [captions, edit])
  const track = useObjectUrl(
    useMemo(() => (text === null ? null : new Blob([text], { type: 'text/vtt' })), [text]),
  )
  return (
    <div className="@container-size absolute inset-0">
      {url !== null && (
        // biome-ignore lint/a11y/useMediaCaption: it has a track if the member has added captions
        <video
          src={url}
          poster={poster ?? undefined}
          aria-label={words.preview}
          controls
          controlsList="nodownload noremoteplayback"
          playsInline
          preload="metadata"
          style={fittedStyle(cover)}
          className="absolute inset-0 my-auto rounded-sm bg-lifted"
        >
          {track !== null && (
            <track key={track} kind="captions" src={track} label={videoPlayer.captions} default />
          )}
        </video>
      )}
    </div>
  )
}

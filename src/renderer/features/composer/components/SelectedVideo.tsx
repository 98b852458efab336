import { Captions, X } from 'lucide-react'
import { Alert } from '#/renderer/components/Alert'
import { Button } from '#/renderer/components/Button'
import { IconButton } from '#/renderer/components/IconButton'
import { partRules, shownName } from '#/renderer/lib/media'
import { texts } from '#/renderer/lib/texts'
import { composeVideo as words } from '#/renderer/lib/texts/later/compose-photos'
import { isolate } from '#/shared/bidi'
import { POST_VIDEO } from '#/shared/limits'
import { useComposerStore } from '../composer-store'
import { captionsOf, type DraftVideo, exceedsCaptions, isCut, isLost } from '../draft-video'
import { isVideo } from '../model'
import { photoWork } from '../photo-work-store'

interface SelectedVideoProps {
  video: DraftVideo
  isLocked: boolean
}

/** What is known of the selected video, and its captions. */
export function SelectedVideo({ video, isLocked }: SelectedVideoProps) {
  const { video: prepared } = video
  return (
    <>
      {isLost(video) && (
        <Alert>
          <p>{texts.media['video-interrupted']}</p>
          <p className="mt-1 font-medium">{isolate(shownName(video.name))}</p>
          <Button onClick={() => void photoWork.pickVideos()} disabled={isLocked} className="mt-2.5 mb-1">
            {words.chooseAgain}
          </Button>
        </Alert>
      )}
      <div className="grid min-h-[2lh] gap-1 text-[12.5px] text-quiet">
        <ServerLimit video={video} />
        {prepared?.isSoundLost === true && <p role="status">{texts.makeStory.soundLost}</p>}
        <WhatIsPublished video={video} />
      </div>
      <CaptionsField video={video} isLocked={isLocked} />
    </>
  )
}

/** What the server takes, if that is less than other servers do. */
function ServerLimit({ video: { info } }: Pick<SelectedVideoProps, 'video'>) {
  const rules = useComposerStore(({ videoRules }) => videoRules)
  if (rules.bytes >= POST_VIDEO.bytes) return null
  return <p role="status">{texts.media.serverLimit(rules.bytes, partRules(info, rules).seconds)}</p>
}

/** What of the video is published, and why it is not being converted. */
function WhatIsPublished({ video }: Pick<SelectedVideoProps, 'video'>) {
  const rules = useComposerStore(({ videoRules }) => videoRules)
  const { info, isHeld, work, edit } = video
  const waits = isHeld && work !== null && work.failure === null && work.progress === 0
  // The server has refused it since.
  if (waits && edit.to - edit.from > partRules(info, rules).seconds)
    return <p role="status">{words.shorten}</p>
  const heldText = isCut(video) && edit.from === 0 ? words.heldPart(edit.to) : words.held
  return (
    <>
      <p>{publishedText(video)}</p>
      {waits && <p role="status">{heldText}</p>}
    </>
  )
}

/** What of the video will leave this computer: about, until it is converted. */
function publishedText({ info, edit, video, work, preview }: DraftVideo): string {
  if (work === null && video !== null) {
    const { width, height } = video.cover
    return words.published(
      { width, height, bytes: video.video.size },
      video.durationMs / 1_000,
      video.hasSound,
    )
  }
  const hasSound = info.sound === 'readable' && !edit.isMuted
  return preview === null ? '' : words.willBePublished(preview, edit.to - edit.from, hasSound)
}

function CaptionsField({ video, isLocked }: SelectedVideoProps) {
  const { id, captions } = video
  const media = useComposerStore(({ draft }) => draft.photos)
  const remove = () => photoWork.removeCaptions(id)
  return (
    <div className="grid gap-2">
      <div className="flex flex-wrap items-center gap-2">
        <Button onClick={() => void photoWork.pickCaptions(id)} disabled={isLocked}>
          <Captions aria-hidden="true" className="size-4.5" />
          {captions === null ? words.addCaptions : words.changeCaptions}
        </Button>
        {captions === null ? (
          <span className="text-[12.5px] text-quiet">{words.captionsHint}</span>
        ) : (
          <span className="flex min-w-0 items-center gap-1 text-[13px] text-quiet">
            <span className="min-w-0 wrap-anywhere">
              {words.hasCaptions(shownName(captions.name), captions.cues.length)}
            </span>
            <IconButton label={words.removeCaptions} size="small" onClick={remove} disabled={isLocked}>
              <X aria-hidden="true" />
            </IconButton>
          </span>
        )}
      </div>
      {captions !== null && captionsOf(video) === null && (
        <p role="status" className="text-[12.5px] text-quiet">
          {words.noCaptionsInPart}
        </p>
      )}
      {captions !== null && exceedsCaptions(media.filter(isVideo)) && <Alert>{words.captionsTooLong}</Alert>}
    </div>
  )
}

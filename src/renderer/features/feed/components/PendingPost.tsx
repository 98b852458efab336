import { useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { Avatar } from '#/renderer/components/Avatar'
import { Fold } from '#/renderer/components/Fold'
import { IsolatedLine } from '#/renderer/components/Isolated'
import { PendingStatus } from '#/renderer/components/PendingStatus'
import { PhotoCarousel } from '#/renderer/components/PhotoCarousel'
import { FramedPhoto, PhotoFrame } from '#/renderer/components/PhotoFrame'
import { CARD_CLASS } from '#/renderer/components/post-card'
import { useMe } from '#/renderer/features/auth'
import { useLocalUrl } from '#/renderer/lib/browser/object-url'
import { columnSizes } from '#/renderer/lib/layout/photo-frame'
// Not the folder's index: that would load the whole picture pipeline.
import { previewOf } from '#/renderer/lib/media/preview'
import { preparedSource } from '#/renderer/lib/media-store'
import type { OutboxRow } from '#/renderer/lib/outbox'
import { texts } from '#/renderer/lib/texts'
import { videoPlayer } from '#/renderer/lib/texts/later/video-player'
import { trimText } from '#/shared/visible-text'
import { type NewPost, stillOf } from '../mutations'

interface PendingPostProps {
  row: OutboxRow<NewPost>
  /** Position in the feed, from 1. */
  position: number
  /** Number of posts in the feed; -1 while unknown. */
  setSize: number
}

/** A post of the member that is not on the server yet (CREATE-10). */
export function PendingPost({ row, position, setSize }: PendingPostProps) {
  const navigate = useNavigate()
  const { profile } = useMe()
  const { username } = profile
  const { content, location, photos } = row.payload
  return (
    <article
      data-post={row.id}
      tabIndex={-1}
      aria-label={texts.post.by(username)}
      aria-posinset={position}
      aria-setsize={setSize}
      className={CARD_CLASS}
    >
      <header className="flex items-center gap-3 py-2.5">
        <Avatar member={profile} size={38} />
        <div className="min-w-0 leading-tight">
          <p className="truncate font-semibold text-[14.5px]">{username}</p>
          {trimText(location) !== '' && (
            <p className="text-[12.5px] text-quiet">
              <IsolatedLine>{trimText(location)}</IsolatedLine>
            </p>
          )}
        </div>
      </header>
      <PendingPhotos photos={photos} username={username} />
      <div className="py-3">
        {trimText(content) !== '' && (
          <div className="pb-1.5">
            <Fold id={row.id} text={trimText(content)} place="caption" />
          </div>
        )}
        <PendingStatus row={row} onEdit={() => void navigate('/create', { state: { edit: row.id } })} />
      </div>
    </article>
  )
}

interface PendingPhotosProps {
  photos: NewPost['photos']
  username: string
}

function PendingPhotos({ photos, username }: PendingPhotosProps) {
  const [current, setCurrent] = useState(0)
  if (photos.length === 0) return null
  return (
    <PhotoFrame photos={photos.map(stillOf)}>
      <PhotoCarousel
        count={photos.length}
        videos={photos.map((photo) => 'video' in photo)}
        current={current}
        onChange={setCurrent}
      >
        {(index) => {
          const photo = photos[index]
          return photo && <PendingPhoto photo={photo} username={username} />
        }}
      </PhotoCarousel>
    </PhotoFrame>
  )
}

interface PendingPhotoProps {
  photo: NewPost['photos'][number]
  username: string
}

function PendingPhoto({ photo, username }: PendingPhotoProps) {
  const still = stillOf(photo)
  const url = useLocalUrl(previewOf(still))
  const seconds = 'video' in photo ? photo.durationMs / 1_000 : null
  const by = seconds === null ? texts.post.photoBy : texts.post.videoBy
  const alt = trimText(photo.altText) === '' ? by(username) : trimText(photo.altText)
  return (
    <FramedPhoto
      photo={{ ...still, source: preparedSource(still, url) }}
      alt={seconds === null ? alt : videoPlayer.label(alt, seconds)}
      sizes={columnSizes(still)}
      className="rounded-sm"
    >
      {seconds !== null && (
        <span
          aria-hidden="true"
          className="absolute start-2 bottom-2 rounded-sm bg-black/70 px-1.5 py-0.5 text-[12.5px] text-white tabular-nums forced-colors:border"
        >
          {videoPlayer.clock(seconds)}
        </span>
      )}
    </FramedPhoto>
  )
}

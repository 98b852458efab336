import { Dialog } from 'radix-ui'
import { useState } from 'react'
import { FullWindow } from '#/renderer/components/FullWindow'
import { Picture } from '#/renderer/components/Picture'
import { useMe } from '#/renderer/features/auth'
import { useLocalUrl } from '#/renderer/lib/browser/object-url'
import { creditOf } from '#/renderer/lib/content/picture-credit'
import { previewOf } from '#/renderer/lib/media'
import { type PictureSource, storedSource, thumbnailSource } from '#/renderer/lib/media-store'
import { texts } from '#/renderer/lib/texts'
import type { Message } from '../message'
import type { PhotoMessage } from '../model/photos'
import { useOutgoingPicture } from '../outgoing'
import { type PhotoRow, useMessagePhotoQuery } from '../queries/messages'

interface MessagePhotoProps {
  message: Message
  photoId: string
  isOwn: boolean
  otherName: string
  isPending: boolean
}

/** A photo in a conversation, at its final size while it loads. A click enlarges it. */
export function MessagePhoto({ message, photoId, isOwn, otherName, isPending }: MessagePhotoProps) {
  const { image_width, image_height } = message
  const { data: photo } = useMessagePhotoQuery(photoId, !isPending)
  const local = useOutgoingPicture(message.id)
  const localUrl = useLocalUrl(local && previewOf(local))
  const [isLarge, setIsLarge] = useState(false)
  const source: PictureSource =
    local === null ? sourceOf(message, photo) : { kind: 'inline', url: localUrl, preview: null }
  const credit = useCredit(message, otherName)
  const box = photoBox(image_width ?? 1, image_height ?? 1)
  const alt = isOwn ? texts.messages.ownPhoto : texts.messages.photo(otherName)
  return (
    <Dialog.Root open={isLarge} onOpenChange={setIsLarge}>
      <Dialog.Trigger
        title={texts.messages.openPhoto}
        className="max-w-full cursor-zoom-in! overflow-hidden rounded-[18px] bg-lifted"
      >
        <Picture
          {...credit}
          source={source}
          alt={alt}
          style={box}
          sizes={`${box.width}px`}
          fit="cover"
          className="max-w-full"
        />
      </Dialog.Trigger>
      <LargePhoto message={message} source={source} alt={alt} credit={credit} />
    </Dialog.Root>
  )
}

interface LargePhotoProps {
  message: PhotoMessage
  source: PictureSource
  alt: string
  credit: ReturnType<typeof creditOf>
}

/** A photo over the whole window. */
function LargePhoto({ message, source, alt, credit }: LargePhotoProps) {
  return (
    <FullWindow title={texts.messages.photoDialog}>
      <div className="grid size-full place-items-center p-4 sm:p-10">
        {/* A larger target for the pointer; the button in the corner has the name. */}
        <Dialog.Close aria-hidden="true" tabIndex={-1} className="absolute inset-0 cursor-zoom-out!" />
        <Picture
          {...credit}
          source={source}
          alt={alt}
          width={message.image_width ?? undefined}
          height={message.image_height ?? undefined}
          sizes="100vw"
          fit="contain"
          className="pointer-events-none relative max-h-full min-h-0 max-w-full"
        />
      </div>
    </FullWindow>
  )
}

interface SharedPhotoProps {
  message: PhotoMessage
  otherName: string
}

/** A photo of a stored message as a square. A click enlarges it. */
export function SharedPhoto({ message, otherName }: SharedPhotoProps) {
  const { id: me } = useMe()
  const { data: photo } = useMessagePhotoQuery(message.media_id ?? '', message.media_id !== null)
  const source = sourceOf(message, photo)
  const credit = useCredit(message, otherName)
  const alt = message.sender_id === me ? texts.messages.ownPhoto : texts.messages.photo(otherName)
  return (
    <Dialog.Root>
      <Dialog.Trigger
        title={texts.messages.openPhoto}
        className="size-full cursor-zoom-in! overflow-hidden rounded-sm bg-lifted"
      >
        <Picture {...credit} source={source} alt={alt} sizes="96px" fit="cover" className="size-full" />
      </Dialog.Trigger>
      <LargePhoto message={message} source={source} alt={alt} credit={credit} />
    </Dialog.Root>
  )
}

function useCredit({ sender_id, created_at }: PhotoMessage, otherName: string) {
  const { id: me, profile } = useMe()
  return creditOf(sender_id === me ? profile.username : otherName, created_at)
}

/** What a message's photo is loaded from; while its row is loading, only the placeholder of the message. */
function sourceOf(message: PhotoMessage, photo: PhotoRow | null | undefined): PictureSource {
  const { thumbnail_url, thumbhash, image_width: width, image_height: height } = message
  if (photo?.media_path != null && photo.poster_path !== null) {
    const paths = { grid: photo.poster_path, full: photo.media_path }
    return storedSource(paths, { width, height }, thumbhash, { grid: 'messageThumbnail', full: 'message' })
  }
  if (thumbhash !== null) return { kind: 'stored', sizes: [], thumbhash }
  return { kind: 'inline', url: photo?.image_url ?? null, preview: thumbnail_url }
}

interface MessageThumbnailProps {
  message: Message
  photoId: string
}

/** The photo of a quoted message, as a small square. */
export function MessageThumbnail({ message, photoId }: MessageThumbnailProps) {
  const { thumbnail_url: url, thumbhash } = message
  const { data: photo } = useMessagePhotoQuery(photoId, url === null)
  const source = thumbnailSource(photo?.poster_path, thumbhash, url, 'messageThumbnail')
  if (source === null) return null
  return <Picture source={source} alt="" sizes="32px" fit="cover" className="size-8 shrink-0 rounded-sm" />
}

/** Maximum size of a photo in a conversation, in pixels. */
const LARGEST = { width: 280, height: 320 } as const
/** Minimum length of a side, in pixels; longer strips are cropped. */
const SMALLEST = 72

/**
 * Size of a photo in a conversation, in pixels, calculated from its stored size before the photo is loaded.
 */
export function photoBox(width: number, height: number): { width: number; height: number } {
  const scale = Math.min(1, LARGEST.width / width, LARGEST.height / height)
  return {
    width: Math.max(SMALLEST, Math.round(width * scale)),
    height: Math.max(SMALLEST, Math.round(height * scale)),
  }
}

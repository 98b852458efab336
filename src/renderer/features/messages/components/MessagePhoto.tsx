import { Dialog } from 'radix-ui'
import { useState } from 'react'
import { FullWindow } from '#/renderer/components/FullWindow'
import { texts } from '#/renderer/lib/texts'
import type { Message } from '../message'
import { useMessagePhotoQuery } from '../queries/messages'

interface MessagePhotoProps {
  message: Message
  photoId: string
  isOwn: boolean
  otherName: string
  isPending: boolean
}

/** A photo in a conversation, at its final size while it loads. A click enlarges it. */
export function MessagePhoto({ message, photoId, isOwn, otherName, isPending }: MessagePhotoProps) {
  const { thumbnail_url, image_width, image_height } = message
  const { data: full } = useMessagePhotoQuery(photoId, !isPending)
  const [isLarge, setIsLarge] = useState(false)
  const picture = full ?? thumbnail_url
  if (picture === null) return null
  const box = photoBox(image_width ?? 1, image_height ?? 1)
  const alt = isOwn ? texts.messages.ownPhoto : texts.messages.photo(otherName)
  return (
    <Dialog.Root open={isLarge} onOpenChange={setIsLarge}>
      <Dialog.Trigger
        title={texts.messages.openPhoto}
        className="max-w-full cursor-zoom-in! overflow-hidden rounded-[18px] bg-sunk"
      >
        <img
          src={picture}
          alt={alt}
          style={box}
          draggable={false}
          decoding="async"
          className="max-w-full object-cover"
        />
      </Dialog.Trigger>
      <FullWindow title={texts.messages.photoDialog} closeLabel={texts.close}>
        <div className="grid size-full place-items-center p-4 sm:p-10">
          <Dialog.Close
            aria-label={texts.close}
            tabIndex={-1}
            className="absolute inset-0 cursor-zoom-out!"
          />
          <img
            src={picture}
            alt={alt}
            width={image_width ?? undefined}
            height={image_height ?? undefined}
            draggable={false}
            className="pointer-events-none relative max-h-full min-h-0 max-w-full object-contain"
          />
        </div>
      </FullWindow>
    </Dialog.Root>
  )
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

import type { InfiniteData } from '@tanstack/react-query'
import { byTime } from '#/renderer/lib/live'
import type { Cursor } from '#/renderer/lib/queries/keyset'
import type { StoredMessage } from '../message'

/** The part of a message that shows its photo. */
export type PhotoMessage = Pick<
  StoredMessage,
  | 'id'
  | 'sender_id'
  | 'created_at'
  | 'media_id'
  | 'thumbnail_url'
  | 'thumbhash'
  | 'image_width'
  | 'image_height'
>

interface PhotoPage {
  photos: readonly PhotoMessage[]
  /** Where to read on; undefined on the last page. */
  next: Cursor | undefined
}

/** The loaded photos of a conversation, newest first. */
export type PhotoPages = InfiniteData<PhotoPage, Cursor>

function toPhoto(message: StoredMessage): PhotoMessage {
  const { id, sender_id, created_at, media_id, thumbnail_url, thumbhash, image_width, image_height } = message
  return { id, sender_id, created_at, media_id, thumbnail_url, thumbhash, image_width, image_height }
}

/** The loaded photos, newest first, each once: one may be in two pages after a live event. */
export function photosOf({ pages }: PhotoPages): PhotoMessage[] {
  const byId = new Map(pages.flatMap(({ photos }) => photos).map((photo) => [photo.id, photo]))
  return [...byId.values()].sort((a, b) => byTime(b, a))
}

function filtered(data: PhotoPages, keeps: (photo: PhotoMessage) => boolean): PhotoPages {
  return { ...data, pages: data.pages.map((page) => ({ ...page, photos: page.photos.filter(keeps) })) }
}

/** Applies a sent message or a live event: a new photo appears, an unsent one leaves. Photos of later pages come with them. */
export function withPhotoMessage(data: PhotoPages, message: StoredMessage): PhotoPages {
  const isKnown = data.pages.some(({ photos }) => photos.some(({ id }) => id === message.id))
  if (message.media_id === null) return isKnown ? filtered(data, ({ id }) => id !== message.id) : data
  const [first, ...others] = data.pages
  if (isKnown || first === undefined) return data
  const end = data.pages.at(-1)?.next
  if (end != null && byTime(message, { created_at: end.createdAt, id: end.id }) < 0) return data
  return { ...data, pages: [{ ...first, photos: [toPhoto(message), ...first.photos] }, ...others] }
}

/** Without the photos that the member has deleted with the conversation, up to this time. */
export function withoutClearedPhotos(data: PhotoPages, clearedAt: string): PhotoPages {
  const { pages, ...rest } = filtered(data, ({ created_at }) => created_at > clearedAt)
  return { ...rest, pages: pages.map((page) => ({ ...page, next: undefined })) }
}

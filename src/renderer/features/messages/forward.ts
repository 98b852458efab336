import type { QueryClient } from '@tanstack/react-query'
import { blobOfDataUrl } from '#/renderer/lib/browser/data-url'
import { AppError } from '#/renderer/lib/core/errors'
import { type PreparedPicture, preparePicture } from '#/renderer/lib/media'
import { loadObject } from '#/renderer/lib/media-store/load-object'
import type { Message } from './message'
import { sharedIn } from './model/shared'
import type { ShareContent } from './mutations/share'
import { photoLoader } from './queries/messages'

/** A copy of a message's photo, which the recipients get as a photo of this member. Throws an `AppError` or `MediaError`. */
async function copyPhoto(client: QueryClient, photoId: string): Promise<PreparedPicture> {
  const row = await photoLoader(client)(photoId)
  const inline = row?.image_url ?? null
  if (inline !== null) return preparePicture(await blobOfDataUrl(inline))
  const file = row?.media_path == null ? null : await loadObject(row.media_path, 'message')
  if (file === null) throw new AppError('not-found', '', 'forward photo')
  return preparePicture(file)
}

/** What the recipients of a forwarded message get: its text, photo and card. Throws an `AppError` or `MediaError`. */
export async function forwardContent(client: QueryClient, message: Message): Promise<ShareContent> {
  const { content, media_id } = message
  const shared = sharedIn(message)
  return {
    content,
    forwarded: true,
    ...(media_id !== null && { picture: await copyPhoto(client, media_id) }),
    ...(shared?.id != null && { shared: { kind: shared.kind, id: shared.id } }),
  }
}

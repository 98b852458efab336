import type { PreparedPicture } from '#/renderer/lib/media/picture/picture-request'
import type { PreparedMedia } from './story-media'

/** The data URL or file that shows a prepared picture before it is sent. */
export function previewOf(picture: PreparedPicture): string | Blob {
  return 'dataUrl' in picture ? picture.dataUrl : picture.feed
}

/** The small version of a prepared picture. */
export function thumbnailOf(picture: PreparedPicture): string | Blob {
  return 'dataUrl' in picture ? picture.thumbnailUrl : picture.grid
}

/** The small picture of a prepared story. */
export function storyThumbnailOf(media: PreparedMedia): string | Blob {
  return media.kind === 'video' ? media.poster : thumbnailOf(media)
}

import { Picture } from '#/renderer/components/Picture'
import { type PictureSource, storedSource } from '#/renderer/lib/media-store'
import { texts } from '#/renderer/lib/texts'
import { type GridPost, useLatestPhotosQuery } from '../queries'

function sourceOf({ photos, thumbnail_url }: GridPost): PictureSource | null {
  const photo = photos.find(({ position }) => position === 0)
  if (photo !== undefined) return storedSource({ grid: photo.grid_path }, photo, photo.thumbhash)
  return thumbnail_url === null ? null : { kind: 'inline', url: thumbnail_url, preview: null }
}

/** The latest three photos of a member, in a row whose size is there from the start. */
export function LatestPhotos({ memberId }: { memberId: string }) {
  const { data: posts = [] } = useLatestPhotosQuery(memberId)
  return (
    <ul className="flex gap-1">
      {[0, 1, 2].map((index) => {
        const post = posts[index]
        const source = post === undefined ? null : sourceOf(post)
        return (
          <li key={index} className="size-15 overflow-hidden rounded-sm bg-sunk">
            {post !== undefined && source !== null && (
              <Picture
                source={source}
                alt={
                  (post.photos.find(({ position }) => position === 0) ?? post).alt_text ??
                  texts.post.photoBy(post.author.username)
                }
                sizes="60px"
                fit="cover"
                className="size-full"
              />
            )}
          </li>
        )
      })}
    </ul>
  )
}

import { Picture } from '#/renderer/components/Picture'
import { VideoMark } from '#/renderer/components/VideoMark'
import { thumbnailSource } from '#/renderer/lib/media-store'
import { texts } from '#/renderer/lib/texts'
import { useLatestPhotosQuery } from '../queries'

/** The latest three photos of a member, in a row whose size is there from the start. */
export function LatestPhotos({ memberId }: { memberId: string }) {
  const { data: posts = [] } = useLatestPhotosQuery(memberId)
  return (
    <ul className="flex gap-1">
      {[0, 1, 2].map((index) => {
        const post = posts[index]
        const photo = post?.media.find(({ position }) => position === 0)
        const isVideo = photo?.kind === 'video'
        const by = isVideo ? texts.post.videoBy : texts.post.photoBy
        const source = post && thumbnailSource(photo?.grid_path, photo?.thumbhash, post.thumbnail_url)
        return (
          <li key={index} className="relative size-15 overflow-hidden rounded-sm bg-sunk">
            {post != null && source != null && (
              <Picture
                source={source}
                alt={(photo ?? post).alt_text ?? by(post.author.username)}
                sizes="60px"
                fit="cover"
                className="size-full"
              />
            )}
            {isVideo && <VideoMark durationMs={photo.duration_ms} className="absolute end-1 bottom-1" />}
          </li>
        )
      })}
    </ul>
  )
}

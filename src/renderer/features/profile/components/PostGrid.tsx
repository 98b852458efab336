import { PageSpinner } from '#/renderer/components/Spinner'
import { useMe } from '#/renderer/features/auth'
import { texts } from '#/renderer/lib/texts'
import { gridPreview } from '../grid-preview'
import { type GridPost, type Profile, useGridQuery } from '../queries'

/** Three columns of pictures, or the beginning of what was written. */
export function PostGrid({ profile }: { profile: Profile }) {
  const me = useMe()
  const { data: posts, isPending } = useGridQuery(profile.id)
  if (isPending) return <PageSpinner />
  if (posts === undefined || posts.length === 0) {
    return (
      <div className="py-20 text-center">
        <h3 className="font-display text-[24px]">{texts.profile.noPosts}</h3>
        {profile.id === me.id && <p className="mt-1.5 text-quiet">{texts.profile.noOwnPosts}</p>}
      </div>
    )
  }
  return (
    <ul className="grid grid-cols-3 gap-1.5">
      {posts.map((post) => (
        <li key={post.id} className="aspect-square overflow-hidden rounded-sm bg-sunk">
          <GridCell post={post} username={profile.username} />
        </li>
      ))}
    </ul>
  )
}

function GridCell({ post, username }: { post: GridPost; username: string }) {
  if (post.thumbnail_url !== null) {
    return (
      <img
        src={post.thumbnail_url}
        alt={post.alt_text ?? texts.post.photoBy(username)}
        draggable={false}
        decoding="async"
        className="size-full object-cover"
      />
    )
  }
  return (
    <p className="grid size-full place-items-center p-2 text-center font-display text-[11.5px] leading-snug [overflow-wrap:anywhere] sm:p-6 sm:text-[19px]">
      {gridPreview(post.content)}
    </p>
  )
}

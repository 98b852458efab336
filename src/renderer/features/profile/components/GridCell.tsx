import { memo } from 'react'
import { Link, type To } from 'react-router-dom'
import { usePictureQuery } from '#/renderer/features/post'
import { texts } from '#/renderer/lib/texts'
import { gridPreview } from '../grid-preview'
import type { GridPost } from '../grids'

interface GridCellProps {
  post: GridPost
  to: To
}

/** A post's thumbnail, or the beginning of what was written, leading to the post over this page (PROF-06, PROF-10). */
export const GridCell = memo(function GridCell({ post, to }: GridCellProps) {
  return (
    <Link to={to} className="block size-full overflow-hidden rounded-sm bg-sunk hover:brightness-92">
      {post.thumbnail_url === null ? (
        <CellWithoutThumbnail post={post} />
      ) : (
        <CellPicture post={post} src={post.thumbnail_url} />
      )}
    </Link>
  )
})

function CellPicture({ post, src }: { post: GridPost; src: string }) {
  return (
    <img
      src={src}
      alt={post.alt_text ?? texts.post.photoBy(post.author.username)}
      draggable={false}
      decoding="async"
      className="size-full object-cover"
    />
  )
}

/** A text, unless another client stored a picture and no thumbnail of it. */
function CellWithoutThumbnail({ post }: { post: GridPost }) {
  const { data: picture } = usePictureQuery(post.id)
  if (picture != null) return <CellPicture post={post} src={picture} />
  return (
    <p
      dir="auto"
      className="grid size-full place-items-center p-2 text-center font-display text-[11.5px] leading-snug [overflow-wrap:anywhere] sm:p-6 sm:text-[19px]"
    >
      {gridPreview(post.content)}
    </p>
  )
}

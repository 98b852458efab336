import { memo } from 'react'
import { PostLink, usePictureQuery } from '#/renderer/features/post'
import { texts } from '#/renderer/lib/texts'
import { gridPreview } from '../grid-preview'
import type { GridPost } from '../grids'

interface GridCellProps {
  post: GridPost
  /** Ids of the grid's posts, in order. */
  list: readonly string[]
}

/** A post's thumbnail or the start of its text; opens the post in a modal (PROF-06, PROF-10). */
export const GridCell = memo(function GridCell({ post, list }: GridCellProps) {
  return (
    <PostLink
      id={post.id}
      list={list}
      className="block size-full overflow-hidden rounded-sm bg-sunk transition-[filter] duration-150 hover:brightness-92 active:brightness-85"
    >
      {post.thumbnail_url === null ? (
        <CellWithoutThumbnail post={post} />
      ) : (
        <CellPicture post={post} src={post.thumbnail_url} />
      )}
    </PostLink>
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

/** A text, unless another client stored a picture without a thumbnail. */
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

import type { ComponentProps } from 'react'
import { texts } from '#/renderer/lib/texts'
import type { Post } from '../queries'

interface PostImageProps extends Omit<ComponentProps<'img'>, 'alt' | 'width' | 'height'> {
  post: Post
}

/** A post's picture with its description, and with the size it will have once it is there. */
export function PostImage({ post, ...rest }: PostImageProps) {
  return (
    <img
      alt={post.alt_text ?? texts.post.photoBy(post.author.username)}
      width={post.image_width ?? undefined}
      height={post.image_height ?? undefined}
      draggable={false}
      {...rest}
    />
  )
}

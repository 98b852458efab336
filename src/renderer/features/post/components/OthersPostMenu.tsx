import { DropMenu } from '#/renderer/components/DropMenu'
import type { PopupProps } from '#/renderer/components/LazyPopup'
import { MemberMenuItems } from '#/renderer/features/safety'
import type { Post } from '../queries'

interface OthersPostMenuProps extends PopupProps {
  post: Post
}

/** What a reader can do about a post that is not theirs. */
export function OthersPostMenu({ post, ...popup }: OthersPostMenuProps) {
  return (
    <DropMenu {...popup}>
      <MemberMenuItems member={{ id: post.user_id, username: post.author.username }} postId={post.id} />
    </DropMenu>
  )
}

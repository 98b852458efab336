import type { PopupProps } from '#/renderer/components/LazyPopup'
import { useMe } from '#/renderer/features/auth'
import type { Post } from '../queries'
import { OthersPostMenu } from './OthersPostMenu'
import { OwnPostMenu } from './OwnPostMenu'

interface PostMenuItemsProps extends PopupProps {
  post: Post
  onDeleted: (() => void) | undefined
}

/** Other things for a post's author than for its readers. */
export function PostMenuItems({ onDeleted, ...props }: PostMenuItemsProps) {
  return props.post.user_id === useMe().id ? (
    <OwnPostMenu {...props} onDeleted={onDeleted} />
  ) : (
    <OthersPostMenu {...props} />
  )
}

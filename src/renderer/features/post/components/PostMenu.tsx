import { Ellipsis } from 'lucide-react'
import { IconButton } from '#/renderer/components/IconButton'
import { LazyPopup } from '#/renderer/components/LazyPopup'
import { useMe } from '#/renderer/features/auth'
import { texts } from '#/renderer/lib/texts'
import type { Post } from '../queries'

interface PostMenuProps {
  post: Post
  /** The member deleted it here. */
  onDeleted?: (() => void) | undefined
}

async function loadMenus() {
  const [own, others] = await Promise.all([import('./OwnPostMenu'), import('./OthersPostMenu')])
  return { ...own, ...others }
}

/** The button on a post behind which is what one can do with it: other things for its author than for readers. */
export function PostMenu({ post, onDeleted }: PostMenuProps) {
  const isOwn = post.user_id === useMe().id
  return (
    <LazyPopup
      kind="menu"
      load={loadMenus}
      trigger={(props) => (
        <IconButton label={texts.post.options} className="ms-auto text-quiet" {...props}>
          <Ellipsis />
        </IconButton>
      )}
    >
      {({ OwnPostMenu, OthersPostMenu }, popup) =>
        isOwn ? (
          <OwnPostMenu {...popup} post={post} onDeleted={onDeleted} />
        ) : (
          <OthersPostMenu {...popup} post={post} />
        )
      }
    </LazyPopup>
  )
}

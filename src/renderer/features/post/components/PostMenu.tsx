import { Ellipsis } from 'lucide-react'
import { IconButton } from '#/renderer/components/IconButton'
import { LazyPopup } from '#/renderer/components/LazyPopup'
import { loadAhead } from '#/renderer/lib/load-ahead-store'
import { texts } from '#/renderer/lib/texts'
import type { Post } from '../queries'

const load = loadAhead(() => import('./PostMenuItems'))

interface PostMenuProps {
  post: Post
  /** The member deleted it here. */
  onDeleted?: (() => void) | undefined
}

/** The button on a post behind which is what one can do with it: other things for its author than for readers. */
export function PostMenu({ post, onDeleted }: PostMenuProps) {
  return (
    <LazyPopup
      kind="menu"
      load={load}
      trigger={(props) => (
        <IconButton label={texts.post.options} className="ms-auto text-quiet" {...props}>
          <Ellipsis />
        </IconButton>
      )}
    >
      {({ PostMenuItems }, popup) => <PostMenuItems {...popup} post={post} onDeleted={onDeleted} />}
    </LazyPopup>
  )
}

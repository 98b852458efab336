import { Ellipsis } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import { Avatar } from '#/renderer/components/Avatar'
import { IconButton } from '#/renderer/components/IconButton'
import { LazyPopup } from '#/renderer/components/LazyPopup'
import { RelativeTime } from '#/renderer/components/RelativeTime'
import { loadAhead } from '#/renderer/lib/browser/load-ahead-store'
import { placePath } from '#/renderer/lib/content/topics'
import { texts } from '#/renderer/lib/texts'
import type { Post } from '../queries'

interface PostHeaderProps {
  post: Post
  /** Makes the time of a post in a list a link that opens it. */
  linkTime?: (time: ReactNode) => ReactNode
  /** Called when the member has deleted the post with its menu. */
  onDeleted?: () => void
  className?: string
}

export function PostHeader({ post, linkTime, onDeleted, className = 'px-3.5 py-3' }: PostHeaderProps) {
  const { username } = post.author
  const time = <RelativeTime at={post.created_at} />
  return (
    <header className={`flex items-center gap-3 ${className}`}>
      <Link to={`/profile/${username}`} tabIndex={-1} aria-hidden="true" className="shrink-0">
        <Avatar member={post.author} size={38} />
      </Link>
      <div className="min-w-0 leading-tight">
        <Link to={`/profile/${username}`} className="group -mt-2 block w-fit max-w-full pt-2 outline-none">
          {/* Its ring leaves the line below free; the link is higher, so that it is easy to hit. */}
          <span className="block truncate rounded-sm font-semibold text-[14.5px] underline-offset-3 outline-accent outline-offset-1 group-hover:underline group-focus-visible:outline-2">
            {username}
          </span>
        </Link>
        <p className="flex min-w-0 text-[12.5px] text-quiet">
          {post.location !== null && (
            <>
              <Link
                to={placePath(post.location)}
                dir="auto"
                className="-mt-0.5 -mb-2 truncate rounded-sm pt-0.5 pb-2 underline-offset-3 hover:underline"
              >
                {post.location}
              </Link>
              <span aria-hidden="true" className="mx-1.5">
                ·
              </span>
            </>
          )}
          {linkTime === undefined ? <span className="shrink-0">{time}</span> : linkTime(time)}
          {post.edited_at !== null && <span className="shrink-0">, {texts.post.edited}</span>}
        </p>
      </div>
      <PostMenu post={post} onDeleted={onDeleted} />
    </header>
  )
}

const loadMenu = loadAhead(() => import('./PostMenuItems'))

interface PostMenuProps {
  post: Post
  /** Called when the member has deleted the post with this menu. */
  onDeleted?: (() => void) | undefined
}

/** The button that opens the menu of a post. */
function PostMenu({ post, onDeleted }: PostMenuProps) {
  return (
    <LazyPopup
      kind="menu"
      load={loadMenu}
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

import { Ellipsis } from 'lucide-react'
import { DropdownMenu } from 'radix-ui'
import { useState } from 'react'
import { Link } from 'react-router-dom'
import { Avatar } from '#/renderer/components/Avatar'
import { ConfirmDialog } from '#/renderer/components/ConfirmDialog'
import { IconButton } from '#/renderer/components/IconButton'
import { MENU_CLASS, MENU_ITEM_CLASS } from '#/renderer/components/menu'
import { RelativeTime } from '#/renderer/components/RelativeTime'
import { useMe } from '#/renderer/features/auth'
import { texts } from '#/renderer/lib/texts'
import { useDeletePostMutation } from '../delete-post'
import type { Post } from '../queries'

interface PostHeaderProps {
  post: Post
  onDeleted: (id: string) => void
}

export function PostHeader({ post, onDeleted }: PostHeaderProps) {
  const me = useMe()
  const { username, avatar_url } = post.author
  return (
    <header className="flex items-center gap-3 px-3.5 py-3">
      <Link to={`/profile/${username}`} tabIndex={-1} aria-hidden="true">
        <Avatar username={username} src={avatar_url} size={38} />
      </Link>
      <div className="min-w-0 leading-tight">
        <Link
          to={`/profile/${username}`}
          className="block truncate rounded-sm font-semibold text-[14.5px] underline-offset-3 hover:underline"
        >
          {username}
        </Link>
        <p className="flex min-w-0 text-[12.5px] text-quiet">
          {post.location !== null && (
            <>
              <span className="truncate">{post.location}</span>
              <span aria-hidden="true" className="mx-1.5">
                ·
              </span>
            </>
          )}
          <RelativeTime at={post.created_at} className="shrink-0" />
          {post.edited_at !== null && <span className="shrink-0">, {texts.post.edited}</span>}
        </p>
      </div>
      {post.user_id === me.id && <OwnPostMenu post={post} onDeleted={onDeleted} />}
    </header>
  )
}

function OwnPostMenu({ post, onDeleted }: PostHeaderProps) {
  const [isAsking, setIsAsking] = useState(false)
  const deletion = useDeletePostMutation(onDeleted)
  return (
    <>
      <DropdownMenu.Root>
        <DropdownMenu.Trigger asChild>
          <IconButton label={texts.post.options} className="ms-auto text-quiet">
            <Ellipsis />
          </IconButton>
        </DropdownMenu.Trigger>
        <DropdownMenu.Portal>
          <DropdownMenu.Content align="end" sideOffset={4} className={MENU_CLASS}>
            <DropdownMenu.Item
              className={`${MENU_ITEM_CLASS} text-accent`}
              onSelect={() => setIsAsking(true)}
            >
              {texts.post.deletePost}
            </DropdownMenu.Item>
          </DropdownMenu.Content>
        </DropdownMenu.Portal>
      </DropdownMenu.Root>
      {isAsking && (
        <ConfirmDialog
          title={texts.post.deleteTitle}
          body={texts.post.deleteBody}
          action={texts.delete}
          isBusy={deletion.isPending}
          onConfirm={() => deletion.mutate(post.id, { onSettled: () => setIsAsking(false) })}
          onCancel={() => setIsAsking(false)}
        />
      )}
    </>
  )
}

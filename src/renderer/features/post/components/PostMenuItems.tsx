import { Pencil, Trash2 } from 'lucide-react'
import { DropdownMenu } from 'radix-ui'
import { useState } from 'react'
import { ConfirmDialog } from '#/renderer/components/ConfirmDialog'
import { DropMenu } from '#/renderer/components/DropMenu'
import type { PopupProps } from '#/renderer/components/LazyPopup'
import { lazyDialog } from '#/renderer/components/lazy-contained'
import { MENU_ITEM_CLASS } from '#/renderer/components/menu'
import { useMe } from '#/renderer/features/auth'
import { MemberMenuItems } from '#/renderer/features/safety'
import { texts } from '#/renderer/lib/texts'
import { useDeletePostMutation } from '../mutations/posts'
import type { Post } from '../queries'

const EditPostDialog = lazyDialog(() => import('./EditPostDialog'), 'EditPostDialog')

interface PostMenuItemsProps extends PopupProps {
  post: Post
  onDeleted: (() => void) | undefined
}

/** The menu of a post, for its author or for readers. */
export function PostMenuItems({ onDeleted, ...props }: PostMenuItemsProps) {
  return props.post.user_id === useMe().id ? (
    <OwnPostMenu {...props} onDeleted={onDeleted} />
  ) : (
    <OthersPostMenu {...props} />
  )
}

interface OwnPostMenuProps extends PopupProps {
  post: Post
  onDeleted: (() => void) | undefined
}

/** Edits or deletes the member's post. */
function OwnPostMenu({ post, onDeleted, ...popup }: OwnPostMenuProps) {
  const [open, setOpen] = useState<'edit' | 'delete' | null>(null)
  const deletion = useDeletePostMutation(onDeleted)
  const handleClose = () => setOpen(null)
  return (
    <>
      <DropMenu {...popup}>
        <DropdownMenu.Item className={MENU_ITEM_CLASS} onSelect={() => setOpen('edit')}>
          <Pencil aria-hidden="true" />
          {texts.post.editPost}
        </DropdownMenu.Item>
        <DropdownMenu.Item
          className={`${MENU_ITEM_CLASS} text-accent [&_svg]:text-accent`}
          onSelect={() => setOpen('delete')}
        >
          <Trash2 aria-hidden="true" />
          {texts.post.deletePost}
        </DropdownMenu.Item>
      </DropMenu>
      {open === 'edit' && <EditPostDialog post={post} onClose={handleClose} />}
      {open === 'delete' && (
        <ConfirmDialog
          title={texts.post.deleteTitle}
          body={texts.post.deleteBody}
          action={texts.delete}
          isBusy={deletion.isPending}
          onConfirm={() => deletion.mutate(post.id, { onSettled: handleClose })}
          onCancel={handleClose}
        />
      )}
    </>
  )
}

interface OthersPostMenuProps extends PopupProps {
  post: Post
}

/** Mutes, blocks or reports the author. */
function OthersPostMenu({ post, ...popup }: OthersPostMenuProps) {
  return (
    <DropMenu {...popup}>
      <MemberMenuItems member={{ id: post.user_id, username: post.author.username }} postId={post.id} />
    </DropMenu>
  )
}

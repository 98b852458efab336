import { Link as LinkIcon, Trash2 } from 'lucide-react'
import { DropdownMenu } from 'radix-ui'
import { DropMenu } from '#/renderer/components/DropMenu'
import type { PopupProps } from '#/renderer/components/LazyPopup'
import { MENU_ITEM_CLASS } from '#/renderer/components/menu'
import { linkTo } from '#/renderer/features/sharing'
import { copyLink } from '#/renderer/lib/browser/copy-link'
import { texts } from '#/renderer/lib/texts'
import type { Comment } from '../comments/queries'

interface CommentMenuItemsProps extends PopupProps {
  comment: Comment
  /** Null for members who may not delete it. */
  onDelete: (() => void) | null
}

/** The menu of a comment. */
export function CommentMenuItems({ comment, onDelete, ...popup }: CommentMenuItemsProps) {
  const route = { page: 'post', id: comment.post_id, commentId: comment.id } as const
  return (
    <DropMenu {...popup}>
      <DropdownMenu.Item className={MENU_ITEM_CLASS} onSelect={() => void copyLink(linkTo(route))}>
        <LinkIcon aria-hidden="true" />
        {texts.share.copyLink}
      </DropdownMenu.Item>
      {onDelete !== null && (
        <DropdownMenu.Item
          className={`${MENU_ITEM_CLASS} text-accent [&_svg]:text-accent`}
          onSelect={onDelete}
        >
          <Trash2 aria-hidden="true" />
          {texts.post.deleteComment}
        </DropdownMenu.Item>
      )}
    </DropMenu>
  )
}

import { Link as LinkIcon, Trash2 } from 'lucide-react'
import { DropdownMenu } from 'radix-ui'
import { DropMenu } from '#/renderer/components/DropMenu'
import type { PopupProps } from '#/renderer/components/LazyPopup'
import { MENU_ITEM_CLASS } from '#/renderer/components/menu'
import { desktop } from '#/renderer/features/desktop'
import { copyLink } from '#/renderer/lib/browser/copy-link'
import { texts } from '#/renderer/lib/texts'
import { routeLink, routePath } from '#/shared/routes'
import type { Comment } from '../comments/queries'

/** The link of a comment, for the app or for the browser host. */
function linkOf({ id, post_id }: Comment): string {
  const route = { page: 'post', id: post_id, commentId: id } as const
  return desktop.host === 'electron' ? routeLink(route) : `${window.location.origin}${routePath(route)}`
}

interface CommentMenuItemsProps extends PopupProps {
  comment: Comment
  /** Null for members who may not delete it. */
  onDelete: (() => void) | null
}

/** The menu of a comment. */
export function CommentMenuItems({ comment, onDelete, ...popup }: CommentMenuItemsProps) {
  return (
    <DropMenu {...popup}>
      <DropdownMenu.Item className={MENU_ITEM_CLASS} onSelect={() => void copyLink(linkOf(comment))}>
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

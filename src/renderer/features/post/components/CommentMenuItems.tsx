import { Link as LinkIcon, Trash2 } from 'lucide-react'
import { DropdownMenu } from 'radix-ui'
import { DropMenu } from '#/renderer/components/DropMenu'
import type { PopupProps } from '#/renderer/components/LazyPopup'
import { MENU_ITEM_CLASS } from '#/renderer/components/menu'
import { desktop } from '#/renderer/features/desktop'
import { logFailure } from '#/renderer/lib/logger'
import { texts } from '#/renderer/lib/texts'
import { showToast } from '#/renderer/lib/toasts'
import { routeLink, routePath } from '#/shared/routes'
import type { Comment } from '../comments/queries'

/** Copies the link of a comment, for the app or for the browser host. */
function copyLink({ id, post_id }: Comment): void {
  const route = { page: 'post', id: post_id, commentId: id } as const
  const link = desktop.host === 'electron' ? routeLink(route) : `${window.location.origin}${routePath(route)}`
  navigator.clipboard.writeText(link).then(
    () => showToast({ text: texts.share.copied }),
    (cause: unknown) => {
      logFailure('copy link', cause)
      showToast({ text: texts.share.failedCopy })
    },
  )
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
      <DropdownMenu.Item className={MENU_ITEM_CLASS} onSelect={() => copyLink(comment)}>
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

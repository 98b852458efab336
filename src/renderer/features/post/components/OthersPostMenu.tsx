import { Ellipsis } from 'lucide-react'
import { DropdownMenu } from 'radix-ui'
import { IconButton } from '#/renderer/components/IconButton'
import { MENU_CLASS } from '#/renderer/components/menu'
import { MemberMenuItems } from '#/renderer/features/safety'
import { texts } from '#/renderer/lib/texts'
import type { Post } from '../queries'

/** What a reader can do about a post that is not theirs. */
export function OthersPostMenu({ post }: { post: Post }) {
  return (
    <DropdownMenu.Root>
      <DropdownMenu.Trigger asChild>
        <IconButton label={texts.post.options} className="ms-auto text-quiet">
          <Ellipsis />
        </IconButton>
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content align="end" sideOffset={4} className={MENU_CLASS}>
          <MemberMenuItems member={{ id: post.user_id, username: post.author.username }} postId={post.id} />
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  )
}

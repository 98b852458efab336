import { Ban, Flag, Volume2, VolumeX } from 'lucide-react'
import { DropdownMenu } from 'radix-ui'
import { MENU_ITEM_CLASS } from '#/renderer/components/menu'
import { texts } from '#/renderer/lib/texts'
import { openSafetyDialog } from '../dialog-store'
import type { SafetyMember } from '../model'
import { useMute } from '../mutations'

interface MemberMenuItemsProps {
  member: SafetyMember
  /** Set in the menu of a post: the post is reported then. */
  postId?: string
}

/** Menu items to mute, block and report a member, or to report a post. */
export function MemberMenuItems({ member, postId }: MemberMenuItemsProps) {
  const { isMuted, toggle } = useMute(member)
  const danger = `${MENU_ITEM_CLASS} text-accent [&_svg]:text-accent!`
  return (
    <>
      <DropdownMenu.Item className={MENU_ITEM_CLASS} onSelect={toggle}>
        {isMuted ? <Volume2 aria-hidden="true" /> : <VolumeX aria-hidden="true" />}
        <span className="max-w-52 truncate">
          {isMuted ? texts.safety.unmute : texts.safety.mute} {postId !== undefined && member.username}
        </span>
      </DropdownMenu.Item>
      <DropdownMenu.Item className={danger} onSelect={() => openSafetyDialog({ kind: 'block', member })}>
        <Ban aria-hidden="true" />
        <span className="max-w-52 truncate">
          {texts.safety.block} {postId !== undefined && member.username}
        </span>
      </DropdownMenu.Item>
      <DropdownMenu.Item
        className={danger}
        onSelect={() => openSafetyDialog({ kind: 'report', member, postId: postId ?? null })}
      >
        <Flag aria-hidden="true" />
        {postId === undefined ? texts.safety.report : texts.safety.reportPost}
      </DropdownMenu.Item>
    </>
  )
}

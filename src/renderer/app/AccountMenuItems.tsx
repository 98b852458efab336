import { User } from 'lucide-react'
import { DropdownMenu } from 'radix-ui'
import { useNavigate } from 'react-router-dom'
import { DropMenu } from '#/renderer/components/DropMenu'
import { IsolatedLine } from '#/renderer/components/Isolated'
import type { PopupProps } from '#/renderer/components/LazyPopup'
import { MENU_ITEM_CLASS } from '#/renderer/components/menu'
import { OwnMenuItems, useMe } from '#/renderer/features/auth'
import { useHasRail } from '#/renderer/lib/layout/layout'
import { texts } from '#/renderer/lib/texts'

export function AccountMenuItems(popup: PopupProps) {
  const navigate = useNavigate()
  const { username, full_name } = useMe().profile
  return (
    <DropMenu {...popup} side={useHasRail() ? 'right' : 'bottom'} sideOffset={6} className="max-w-64">
      <DropdownMenu.Label className="px-2.5 pt-1.5 pb-2 leading-tight">
        <span className="block truncate font-semibold text-[14px]">
          <IsolatedLine>{full_name || username}</IsolatedLine>
        </span>
        <span className="block truncate text-[12.5px] text-quiet">{username}</span>
      </DropdownMenu.Label>
      <DropdownMenu.Separator className="-mx-1.5 mb-1.5 h-px bg-line" />
      <DropdownMenu.Item className={MENU_ITEM_CLASS} onSelect={() => navigate(`/profile/${username}`)}>
        <User aria-hidden="true" />
        {texts.nav.profile}
      </DropdownMenu.Item>
      <OwnMenuItems />
    </DropMenu>
  )
}

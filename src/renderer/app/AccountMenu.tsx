import { LogOut, Settings, User } from 'lucide-react'
import { DropdownMenu } from 'radix-ui'
import { useNavigate } from 'react-router-dom'
import { Avatar } from '#/renderer/components/Avatar'
import { MENU_CLASS, MENU_ITEM_CLASS } from '#/renderer/components/menu'
import { signOut, useMe } from '#/renderer/features/auth'
import { texts } from '#/renderer/lib/texts'

/** The member's picture, and what is their own behind it. */
export function AccountMenu() {
  const navigate = useNavigate()
  const { username, full_name, avatar_url } = useMe().profile
  return (
    <DropdownMenu.Root>
      <DropdownMenu.Trigger
        aria-label={texts.nav.account}
        title={texts.nav.account}
        className="ms-1 grid size-10 place-items-center rounded-md transition-colors duration-150 hover:bg-sunk"
      >
        <Avatar username={username} src={avatar_url} size={30} />
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content align="end" sideOffset={6} className={`${MENU_CLASS} max-w-64`}>
          <DropdownMenu.Label className="px-2.5 pt-1.5 pb-2 leading-tight">
            <span className="block truncate font-semibold text-[14px]">{full_name || username}</span>
            <span className="block truncate text-[12.5px] text-quiet">{username}</span>
          </DropdownMenu.Label>
          <DropdownMenu.Separator className="-mx-1.5 mb-1.5 h-px bg-line" />
          <DropdownMenu.Item className={MENU_ITEM_CLASS} onSelect={() => navigate(`/profile/${username}`)}>
            <User aria-hidden="true" />
            {texts.nav.profile}
          </DropdownMenu.Item>
          <DropdownMenu.Item className={MENU_ITEM_CLASS} onSelect={() => navigate('/settings')}>
            <Settings aria-hidden="true" />
            {texts.nav.settings}
          </DropdownMenu.Item>
          <DropdownMenu.Item className={MENU_ITEM_CLASS} onSelect={() => void signOut()}>
            <LogOut aria-hidden="true" />
            {texts.nav.signOut}
          </DropdownMenu.Item>
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  )
}

import { LogOut, Settings } from 'lucide-react'
import { DropdownMenu } from 'radix-ui'
import { useNavigate } from 'react-router-dom'
import { MENU_ITEM_CLASS } from '#/renderer/components/menu'
import { texts } from '#/renderer/lib/texts'
import { askToSignOut } from '../sign-out-store'

/** Settings and sign-out, for the account menu and the member's own profile. */
export function OwnMenuItems() {
  const navigate = useNavigate()
  return (
    <>
      <DropdownMenu.Item className={MENU_ITEM_CLASS} onSelect={() => navigate('/settings')}>
        <Settings aria-hidden="true" />
        {texts.nav.settings}
      </DropdownMenu.Item>
      <DropdownMenu.Item className={MENU_ITEM_CLASS} onSelect={askToSignOut}>
        <LogOut aria-hidden="true" />
        {texts.nav.signOut}
      </DropdownMenu.Item>
    </>
  )
}

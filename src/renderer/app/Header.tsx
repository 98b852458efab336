import { House, SquarePlus } from 'lucide-react'
import type { ComponentType } from 'react'
import { Link, NavLink } from 'react-router-dom'
import { Wordmark } from '#/renderer/components/Wordmark'
import { MessagesLink } from '#/renderer/features/messages'
import { NotificationBell } from '#/renderer/features/notifications'
import { SearchBox } from '#/renderer/features/search'
import { texts } from '#/renderer/lib/texts'
import { AccountMenu } from './AccountMenu'

const ICON_LINK =
  'relative grid size-10 place-items-center rounded-md transition-colors duration-150 after:absolute after:inset-x-2 after:-bottom-2 after:h-0.5 after:rounded-full hover:bg-sunk aria-[current=page]:after:bg-accent [&_svg]:size-5.5 [&_svg]:stroke-[1.75]'

/** The navigation bar of signed-in members (AUTH-05, NAV-01). */
export function Header() {
  return (
    <header className="sticky top-0 z-30 border-line border-b bg-paper">
      <nav
        aria-label={texts.nav.label}
        className="relative mx-auto flex h-14 max-w-272 items-center gap-2 px-3 sm:gap-6 sm:px-6"
      >
        <Link to="/" className="grid min-h-6 min-w-6 shrink-0 place-items-center rounded-sm">
          <Wordmark size="header" />
        </Link>
        <SearchBox />
        <div className="flex shrink-0 items-center sm:gap-1">
          <IconLink to="/" label={texts.nav.home} Icon={House} />
          <MessagesLink className={ICON_LINK} />
          <IconLink to="/create" label={texts.nav.create} Icon={SquarePlus} />
          <NotificationBell />
          <AccountMenu />
        </div>
      </nav>
    </header>
  )
}

interface IconLinkProps {
  to: string
  label: string
  Icon: ComponentType
}

function IconLink({ to, label, Icon }: IconLinkProps) {
  return (
    <NavLink to={to} end aria-label={label} title={label} className={ICON_LINK}>
      <Icon />
    </NavLink>
  )
}

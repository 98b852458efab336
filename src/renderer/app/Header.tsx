import { Bookmark, Compass, House, SquarePlus, User } from 'lucide-react'
import { type ComponentType, Fragment, type ReactNode } from 'react'
import { Link, useLocation } from 'react-router-dom'
import { NAV_LINK_CLASS, NavWord } from '#/renderer/components/NavItem'
import { Wordmark } from '#/renderer/components/Wordmark'
import { useMe } from '#/renderer/features/auth'
import { MessagesLink } from '#/renderer/features/messages'
import { NotificationBell } from '#/renderer/features/notifications'
import { SearchBox } from '#/renderer/features/search'
import { EXPLORE_PATH, exploreRoute } from '#/renderer/lib/content/topics'
import { useHasRail } from '#/renderer/lib/layout/layout'
import { texts } from '#/renderer/lib/texts'
import { AccountMenu } from './AccountMenu'

/** The items of the top bar and of the rail, in their order. */
const IN_BAR = ['home', 'messages', 'create', 'bell', 'account'] as const
const IN_RAIL = ['home', 'explore', 'messages', 'bell', 'create', 'saved', 'profile', 'account'] as const

type Item = (typeof IN_BAR | typeof IN_RAIL)[number]

/**
 * The navigation of signed-in members (AUTH-05, NAV-01): a bar at the top, or a rail at the inline start of wide windows.
 * Both are the same elements, so what is open or typed stays when the window's width changes.
 */
export function Header() {
  const hasRail = useHasRail()
  const items = useItems()
  return (
    <header className="sticky top-0 z-30 border-line border-b bg-paper rail:h-[calc(100dvh-var(--banner-height)-var(--notice-height))] rail:border-e rail:border-b-0">
      <nav
        aria-label={texts.nav.label}
        className="relative mx-auto flex h-14 max-w-272 items-center gap-2 px-3 sm:gap-6 sm:px-6 rail:h-full rail:max-w-none rail:flex-col rail:items-stretch rail:gap-1 rail:px-3 rail:py-3 spacious:px-4"
      >
        <Link
          to="/"
          className="grid min-h-6 min-w-6 shrink-0 place-items-center rounded-sm rail:h-11 rail:max-h-(--rail-item) spacious:justify-start spacious:px-3"
        >
          <Wordmark size="header" />
        </Link>
        <SearchBox />
        <div className="flex shrink-0 items-center sm:gap-1 rail:min-h-0 rail:flex-1 rail:flex-col rail:items-stretch">
          {(hasRail ? IN_RAIL : IN_BAR).map((item) => (
            <Fragment key={item}>{items[item]}</Fragment>
          ))}
        </div>
      </nav>
    </header>
  )
}

function useItems(): Record<Item, ReactNode> {
  const { username } = useMe().profile
  const { pathname, search } = useLocation()
  const profile = `/profile/${username}`
  const isSaved = new URLSearchParams(search).get('tab') === 'saved'
  const route = pathname === '/' ? exploreRoute(search) : null
  return {
    home: (
      <NavLink to="/" label={texts.nav.home} Icon={House} isCurrent={pathname === '/' && route === null} />
    ),
    explore: (
      <NavLink
        to={EXPLORE_PATH}
        label={texts.explore.title}
        Icon={Compass}
        isCurrent={route !== null && route.page !== 'search'}
      />
    ),
    messages: <MessagesLink />,
    bell: <NotificationBell />,
    create: (
      <NavLink
        to="/create"
        label={texts.nav.create}
        word={texts.nav.createWord}
        Icon={SquarePlus}
        isCurrent={pathname === '/create'}
      />
    ),
    saved: (
      <NavLink
        to={`${profile}?tab=saved`}
        label={texts.nav.saved}
        Icon={Bookmark}
        isCurrent={pathname === profile && isSaved}
      />
    ),
    profile: (
      <NavLink
        to={profile}
        label={texts.nav.profile}
        Icon={User}
        isCurrent={pathname === profile && !isSaved}
      />
    ),
    account: <AccountMenu />,
  }
}

interface NavLinkProps {
  to: string
  /** Accessible name and tooltip. */
  label: string
  /** The word in the wide rail, if it is not the whole name. */
  word?: string
  Icon: ComponentType
  isCurrent: boolean
}

function NavLink({ to, label, word = label, Icon, isCurrent }: NavLinkProps) {
  return (
    <Link
      to={to}
      aria-label={label}
      title={label}
      aria-current={isCurrent ? 'page' : undefined}
      className={NAV_LINK_CLASS}
    >
      <Icon />
      <NavWord>{word}</NavWord>
    </Link>
  )
}

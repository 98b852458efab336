import { Avatar } from '#/renderer/components/Avatar'
import { LazyPopup } from '#/renderer/components/LazyPopup'
import { NAV_ITEM_CLASS, NavWord } from '#/renderer/components/NavItem'
import { useMe } from '#/renderer/features/auth'
import { loadAhead } from '#/renderer/lib/browser/load-ahead-store'
import { texts } from '#/renderer/lib/texts'

const load = loadAhead(() => import('./AccountMenuItems'))

export function AccountMenu() {
  const { profile } = useMe()
  return (
    <LazyPopup
      kind="menu"
      load={load}
      trigger={(props) => (
        <button
          type="button"
          aria-label={texts.nav.account}
          title={texts.nav.account}
          className={`${NAV_ITEM_CLASS} ms-1 rail:ms-0 rail:mt-auto spacious:px-2.5`}
          {...props}
        >
          <Avatar member={profile} size={30} />
          <NavWord>{texts.nav.account}</NavWord>
        </button>
      )}
    >
      {({ AccountMenuItems }, popup) => <AccountMenuItems {...popup} />}
    </LazyPopup>
  )
}

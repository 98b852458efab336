import { Avatar } from '#/renderer/components/Avatar'
import { LazyPopup } from '#/renderer/components/LazyPopup'
import { useMe } from '#/renderer/features/auth'
import { loadAhead } from '#/renderer/lib/load-ahead-store'
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
          className="ms-1 grid size-10 place-items-center rounded-md transition-colors duration-150 hover:bg-sunk"
          {...props}
        >
          <Avatar member={profile} size={30} />
        </button>
      )}
    >
      {({ AccountMenuItems }, popup) => <AccountMenuItems {...popup} />}
    </LazyPopup>
  )
}

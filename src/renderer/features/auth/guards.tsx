import { Navigate, Outlet, useLocation } from 'react-router-dom'
import { PageSpinner } from '#/renderer/components/Spinner'
import { assertNever } from '#/renderer/lib/errors'
import { useSessionStore } from './session-store'
import { UnreachableScreen } from './UnreachableScreen'

/** The route that stays open for each hold. */
const HOLD_ROUTES = { welcome: '/signup', recovery: '/login' } as const

/** Lets signed-in members through and redirects everybody else. */
export function RequireMember() {
  const { session, hold } = useSessionStore()
  switch (session.status) {
    case 'loading':
      return <PageSpinner />
    case 'signed-out':
      return <Navigate to="/login" replace />
    case 'needs-username':
      return <Navigate to={hold === 'recovery' ? '/login' : '/signup'} replace />
    case 'unreachable':
      return <UnreachableScreen />
    case 'signed-in':
      return hold === null ? <Outlet /> : <Navigate to={HOLD_ROUTES[hold]} replace />
    default:
      return assertNever(session)
  }
}

/**
 * For /login and /signup: redirects signed-in members to the feed, unless one of these screens still has to show
 * something (AUTH-03). Only /signup asks for a missing username, also after a sign-in (AUTH-13).
 */
export function PublicOnly() {
  const { session, hold } = useSessionStore()
  const { pathname } = useLocation()
  if (session.status === 'loading') return <PageSpinner />
  if (session.status === 'unreachable') return <UnreachableScreen />
  const target = hold === null ? '/' : HOLD_ROUTES[hold]
  if (session.status === 'signed-in' && target !== pathname) return <Navigate to={target} replace />
  if (session.status === 'needs-username' && hold !== 'recovery' && pathname !== '/signup')
    return <Navigate to="/signup" replace />
  return <Outlet />
}

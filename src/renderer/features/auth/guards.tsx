import { Navigate, Outlet, useLocation } from 'react-router-dom'
import { PageSpinner } from '#/renderer/components/Spinner'
import { assertNever } from '#/renderer/lib/errors'
import { useSessionStore } from './session'
import { UnreachableScreen } from './UnreachableScreen'

/** Where each reason to stay has its screen. */
const HELD_AT = { welcome: '/signup', recovery: '/login' } as const

/** Lets signed-in members through; everybody else goes to where they can become one. */
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
      return hold === null ? <Outlet /> : <Navigate to={HELD_AT[hold]} replace />
    default:
      return assertNever(session)
  }
}

/**
 * For /login and /signup: the signed-in go to the feed, unless one of the two still has something to say (AUTH-03).
 * Only /signup asks for a username that is missing, also when that shows at a sign-in (AUTH-13).
 */
export function PublicOnly() {
  const { session, hold } = useSessionStore()
  const { pathname } = useLocation()
  if (session.status === 'loading') return <PageSpinner />
  if (session.status === 'unreachable') return <UnreachableScreen />
  const target = hold === null ? '/' : HELD_AT[hold]
  if (session.status === 'signed-in' && target !== pathname) return <Navigate to={target} replace />
  if (session.status === 'needs-username' && hold !== 'recovery' && pathname !== '/signup')
    return <Navigate to="/signup" replace />
  return <Outlet />
}

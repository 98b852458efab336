import { QueryClientProvider } from '@tanstack/react-query'
import { CloudOff } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Navigate, Outlet, useLocation } from 'react-router-dom'
import { Button } from '#/renderer/components/Button'
import { PageSpinner, Spinner } from '#/renderer/components/Spinner'
import { ToastBar } from '#/renderer/components/ToastBar'
import { assertNever } from '#/renderer/lib/core/errors'
import { ASK_AGAIN_MS, connection, useMismatch } from '#/renderer/lib/live'
import { createQueryClient } from '#/renderer/lib/queries/query-client'
import { askVersions } from '#/renderer/lib/server/supabase'
import { texts } from '#/renderer/lib/texts'
import { retryEnter, useSessionStore } from './session-store'
import { askToSignOut } from './sign-out-store'

/** The route that stays open for each hold. */
const HOLD_ROUTES = { welcome: '/signup', recovery: '/login' } as const

/** Lets signed-in members through and redirects everybody else. */
export function RequireMember() {
  const { session, hold } = useSessionStore()
  switch (session.status) {
    case 'loading':
    case 'left':
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
  const [client] = useState(createQueryClient)
  if (session.status === 'loading' || session.status === 'left') return <PageSpinner />
  if (session.status === 'unreachable') return <UnreachableScreen />
  const target = hold === null ? '/' : HOLD_ROUTES[hold]
  if (session.status === 'signed-in' && target !== pathname) return <Navigate to={target} replace />
  if (session.status === 'needs-username' && hold !== 'recovery' && pathname !== '/signup')
    return <Navigate to="/signup" replace />
  return (
    <QueryClientProvider client={client}>
      <Outlet />
      <ToastBar isAside={false} />
    </QueryClientProvider>
  )
}

const RETRY_MS = 5_000

/** Opens the session again; first asks a server that did not fit. */
async function enterAgain(): Promise<void> {
  if (connection.getState().mismatch !== null) await askVersions()
  await retryEnter()
}

/** Shown for a stored session while the server is unreachable or does not fit: retries automatically, and on demand. */
function UnreachableScreen() {
  const [isTrying, setIsTrying] = useState(false)
  const mismatch = useMismatch()

  useEffect(() => {
    const retryNow = () => void enterAgain()
    const timer = setInterval(retryNow, mismatch === null ? RETRY_MS : ASK_AGAIN_MS)
    window.addEventListener('online', retryNow)
    return () => {
      clearInterval(timer)
      window.removeEventListener('online', retryNow)
    }
  }, [mismatch])

  const handleRetry = async () => {
    setIsTrying(true)
    await enterAgain()
    setIsTrying(false)
  }

  return (
    <main className="grid min-h-[70vh] place-items-center p-6 text-center">
      <div className="max-w-90">
        <CloudOff aria-hidden="true" className="mx-auto mb-3 size-8 stroke-[1.25] text-quiet" />
        <p role="alert" className="mb-5 text-quiet">
          {mismatch === null ? texts.access.offline : texts.connection.mismatch[mismatch]}
        </p>
        <div className="flex items-center justify-center gap-3">
          <Button variant="primary" onClick={handleRetry} disabled={isTrying}>
            {isTrying && <Spinner size={16} />}
            {texts.tryAgain}
          </Button>
          <Button onClick={askToSignOut}>{texts.nav.signOut}</Button>
        </div>
      </div>
    </main>
  )
}

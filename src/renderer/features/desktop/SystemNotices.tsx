import { useEffect, useState } from 'react'
import { Button } from '#/renderer/components/Button'
import { logFailure } from '#/renderer/lib/logger'
import { texts } from '#/renderer/lib/texts'
import type { BackendState, SessionPersistence } from '#/shared/bridge'
import { desktop } from './desktop'

const TOLD_KEY = 'vignette.told-session-not-kept'

function backendNotice(state: BackendState): string | null {
  switch (state.state) {
    case 'restored':
      return texts.session.restored
    case 'restarting':
      return texts.session.backendRestarting
    case 'failed':
      return texts.session.backendFailed
    default:
      return null
  }
}

/** Quiet banners on top: what the member should know of the server on this computer and of how sessions are kept. */
export function SystemNotices() {
  const [backend, setBackend] = useState<BackendState>({ state: 'ready' })
  const [dismissed, setDismissed] = useState<BackendState | null>(null)
  const [persistence, setPersistence] = useState<SessionPersistence>('secure')
  const [isTold, setIsTold] = useState(() => localStorage.getItem(TOLD_KEY) !== null)

  useEffect(() => {
    desktop.backend.state().then(setBackend, (cause) => logFailure('read backend state', cause))
    desktop.session.persistence().then(setPersistence, (cause) => logFailure('read persistence', cause))
    return desktop.backend.onChange(setBackend)
  }, [])

  const closeSessionNotice = () => {
    localStorage.setItem(TOLD_KEY, 'yes')
    setIsTold(true)
  }
  const handleKeepAnyway = () => {
    desktop.session.keepAnyway().catch((cause) => logFailure('keep session anyway', cause))
    closeSessionNotice()
  }

  const aboutBackend = backend === dismissed ? null : backendNotice(backend)
  return (
    <div role="status" className="text-[14px]">
      {aboutBackend !== null && (
        <div className="flex items-center justify-center gap-4 border-line border-b bg-accent-wash px-4 py-1.5">
          <span>{aboutBackend}</span>
          {backend.state === 'restored' && (
            <Button variant="quiet" className="h-8 px-3" onClick={() => setDismissed(backend)}>
              {texts.session.understood}
            </Button>
          )}
        </div>
      )}
      {persistence === 'memory' && !isTold && (
        <div className="flex flex-wrap items-center justify-center gap-x-4 gap-y-1 border-line border-b bg-accent-wash px-4 py-1.5">
          <span>{texts.session.notKept}</span>
          <span className="flex gap-1">
            <Button variant="quiet" className="h-8 px-3 text-accent" onClick={handleKeepAnyway}>
              {texts.session.keepAnyway}
            </Button>
            <Button variant="quiet" className="h-8 px-3" onClick={closeSessionNotice}>
              {texts.session.understood}
            </Button>
          </span>
        </div>
      )}
    </div>
  )
}

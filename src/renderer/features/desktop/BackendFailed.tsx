import { useState } from 'react'
import { Button } from '#/renderer/components/Button'
import { ConfirmDialog } from '#/renderer/components/ConfirmDialog'
import { logFailure } from '#/renderer/lib/logger'
import { texts } from '#/renderer/lib/texts'
import { desktop } from './desktop'
import { Notice } from './Notice'

interface BackendFailedProps {
  /** Why, in the server's own words. */
  message: string
  canRestore: boolean
}

/** The server on this computer gave up: what can be done about it. */
export function BackendFailed({ message, canRestore }: BackendFailedProps) {
  const [isAsking, setIsAsking] = useState(false)
  const attempt = (what: string, call: () => Promise<unknown>) => () => {
    call().catch((cause: unknown) => logFailure(what, cause))
  }
  return (
    <Notice words={`${texts.session.backendFailed} ${message}`}>
      <Button
        variant="quiet"
        className="h-8 px-3 text-accent"
        onClick={attempt('retry backend', desktop.backend.retry)}
      >
        {texts.tryAgain}
      </Button>
      {canRestore && (
        <Button variant="quiet" className="h-8 px-3" onClick={() => setIsAsking(true)}>
          {texts.desktop.restore}
        </Button>
      )}
      <Button
        variant="quiet"
        className="h-8 px-3"
        onClick={attempt('show data folder', desktop.help.showDataFolder)}
      >
        {texts.desktop.showDataFolder}
      </Button>
      {isAsking && (
        <ConfirmDialog
          title={texts.desktop.restoreTitle}
          body={texts.desktop.restoreBody}
          action={texts.desktop.restore}
          onCancel={() => setIsAsking(false)}
          onConfirm={() => {
            setIsAsking(false)
            attempt('restore snapshot', desktop.backend.restore)()
          }}
        />
      )}
    </Notice>
  )
}

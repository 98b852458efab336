import { useState } from 'react'
import { ConfirmDialog } from '#/renderer/components/ConfirmDialog'
import { logIfFails } from '#/renderer/lib/logger'
import { texts } from '#/renderer/lib/texts'
import { desktop } from './desktop'
import { Notice, NoticeButton } from './Notice'

interface BackendFailedProps {
  /** Why, in the server's own words. */
  message: string
  canRestore: boolean
}

/** The server on this computer gave up: what can be done about it. */
export function BackendFailed({ message, canRestore }: BackendFailedProps) {
  const [isAsking, setIsAsking] = useState(false)
  return (
    <Notice words={`${texts.session.backendFailed} ${message}`}>
      <NoticeButton isFirst onClick={() => logIfFails('retry backend', desktop.backend.retry())}>
        {texts.tryAgain}
      </NoticeButton>
      {canRestore && <NoticeButton onClick={() => setIsAsking(true)}>{texts.desktop.restore}</NoticeButton>}
      <NoticeButton onClick={() => logIfFails('show data folder', desktop.help.showDataFolder())}>
        {texts.desktop.showDataFolder}
      </NoticeButton>
      {isAsking && (
        <ConfirmDialog
          title={texts.desktop.restoreTitle}
          body={texts.desktop.restoreBody}
          action={texts.desktop.restore}
          onCancel={() => setIsAsking(false)}
          onConfirm={() => {
            setIsAsking(false)
            logIfFails('restore snapshot', desktop.backend.restore())
          }}
        />
      )}
    </Notice>
  )
}

import { useState } from 'react'
import { ConfirmDialog } from '#/renderer/components/ConfirmDialog'
import { logIfFails } from '#/renderer/lib/core/logger'
import { texts } from '#/renderer/lib/texts'
import { desktop } from '../desktop'
import { Banner, BannerButton } from './Banner'

interface BackendFailedProps {
  /** The server's own message. */
  message: string
  canRestore: boolean
}

/** Reports that the embedded server has failed, with ways to recover. */
export function BackendFailed({ message, canRestore }: BackendFailedProps) {
  const [isAsking, setIsAsking] = useState(false)
  return (
    <Banner text={`${texts.session.backendFailed} ${message}`}>
      <BannerButton isFirst onClick={() => logIfFails('retry backend', desktop.backend.retry())}>
        {texts.tryAgain}
      </BannerButton>
      {canRestore && <BannerButton onClick={() => setIsAsking(true)}>{texts.desktop.restore}</BannerButton>}
      <BannerButton onClick={() => logIfFails('show data folder', desktop.help.showDataFolder())}>
        {texts.desktop.showDataFolder}
      </BannerButton>
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
    </Banner>
  )
}

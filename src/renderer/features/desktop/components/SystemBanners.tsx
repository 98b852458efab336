import { useEffect, useState } from 'react'
import { lazyPart } from '#/renderer/lib/browser/lazy-component'
import { logFailure, logIfFails } from '#/renderer/lib/core/logger'
import { readItem, storeItem } from '#/renderer/lib/local/local-storage'
import { useNotKept } from '#/renderer/lib/local/not-kept-store'
import { unreadableRows } from '#/renderer/lib/outbox/pending'
import { texts } from '#/renderer/lib/texts'
import type { BackendState, SessionPersistence } from '#/shared/bridge'
import { desktop } from '../desktop'
import { usePreferences } from '../preferences-store'
import { Banner, BannerButton } from './Banner'

const DISMISSED_KEY = 'vignette.session-banner-dismissed'

// Loaded lazily with its dialog: it is large and rarely shown.
const BackendFailed = lazyPart(
  () => import('./BackendFailed'),
  'BackendFailed',
  <Banner text={texts.session.backendFailed} />,
)

const GraphicsBanner = lazyPart(() => import('./GraphicsBanner'), 'GraphicsBanner')

/** Banners about the embedded server and failures of the app. */
export function SystemBanners() {
  const [{ hardwareAcceleration }] = usePreferences()
  return (
    <div role="status" className="text-[14px]">
      <BackendBanner />
      <CrashBanner />
      {hardwareAcceleration === 'crashed' && <GraphicsBanner />}
      <SessionBanner />
      <NotKeptBanner />
      <UnreadableBanner />
    </div>
  )
}

function BackendBanner() {
  const [backend, setBackend] = useState<BackendState>({ state: 'ready' })
  const [dismissed, setDismissed] = useState<BackendState | null>(null)
  useEffect(() => {
    desktop.backend.state().then(setBackend, (cause) => logFailure('read backend state', cause))
    return desktop.backend.onChange(setBackend)
  }, [])

  switch (backend.state) {
    case 'restarting':
      return <Banner text={texts.session.backendRestarting} />
    case 'failed':
      return <BackendFailed message={backend.message} canRestore={backend.canRestore} />
    case 'restored':
      return backend === dismissed ? null : (
        <Banner text={texts.session.restored(backend.from)}>
          <DismissButton onClick={() => setDismissed(backend)} />
        </Banner>
      )
    default:
      return null
  }
}

/** The page was reloaded after its process crashed. */
function CrashBanner() {
  const [isShown, setIsShown] = useState(false)
  useEffect(() => {
    desktop.recovery.take().then(
      (wasReloaded) => wasReloaded && setIsShown(true),
      (cause) => logFailure('read recovery', cause),
    )
  }, [])
  if (!isShown) return null
  return (
    <Banner text={texts.desktop.reloaded}>
      <DismissButton onClick={() => setIsShown(false)} />
    </Banner>
  )
}

/** What the member writes stays in memory only: shown once. */
function NotKeptBanner() {
  const isReported = useNotKept((state) => state.isReported)
  const [isDismissed, setIsDismissed] = useState(false)
  if (!isReported || isDismissed) return null
  return (
    <Banner text={texts.session.notKeptHere}>
      <DismissButton onClick={() => setIsDismissed(true)} />
    </Banner>
  )
}

/** The outbox has a row of another version of the app. */
function UnreadableBanner() {
  const { rows, discard } = unreadableRows()
  const [row] = rows
  if (row === undefined) return null
  const handleCopy = () => logIfFails('copy', navigator.clipboard.writeText(row.text))
  return (
    <Banner text={texts.outbox.unreadable}>
      {row.text !== '' && (
        <BannerButton isFirst onClick={handleCopy}>
          {texts.outbox.copyText}
        </BannerButton>
      )}
      <BannerButton onClick={() => logIfFails('outbox', discard(row.id))}>
        {texts.outbox.discard}
      </BannerButton>
    </Banner>
  )
}

/** Says once that the keychain is locked or missing. Offers to stay signed in anyway if it is missing. */
function SessionBanner() {
  const [persistence, setPersistence] = useState<SessionPersistence>('secure')
  const [isDismissed, setIsDismissed] = useState(() => readItem(DISMISSED_KEY) !== null)
  useEffect(() => {
    desktop.session.persistence().then(setPersistence, (cause) => logFailure('read persistence', cause))
  }, [])
  if (persistence === 'locked') {
    return (
      <Banner text={texts.session.locked}>
        <BannerButton isFirst onClick={() => logIfFails('restart', desktop.system.restart())}>
          {texts.session.restart}
        </BannerButton>
        <DismissButton onClick={() => setPersistence('secure')} />
      </Banner>
    )
  }
  if (persistence !== 'memory' || isDismissed) return null

  const close = () => {
    storeItem(DISMISSED_KEY, 'yes')
    setIsDismissed(true)
  }
  const handleKeepAnyway = () => {
    desktop.session.keepAnyway().then(close, (cause) => logFailure('keep session anyway', cause))
  }
  return (
    <Banner text={texts.session.notKept}>
      <BannerButton isFirst onClick={handleKeepAnyway}>
        {texts.session.keepAnyway}
      </BannerButton>
      <DismissButton onClick={close} />
    </Banner>
  )
}

function DismissButton({ onClick }: { onClick: () => void }) {
  return <BannerButton onClick={onClick}>{texts.session.understood}</BannerButton>
}

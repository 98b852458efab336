import { Direction } from 'radix-ui'
import { BrowserRouter } from 'react-router-dom'
import { ErrorBoundary } from '#/renderer/components/ErrorBoundary'
import { Failure } from '#/renderer/components/Failure'
import { useConfirmation } from '#/renderer/features/auth'
import { SystemBanners } from '#/renderer/features/desktop'
import { useServerInfo } from '#/renderer/lib/core/server-info'
import { useDirection } from '#/renderer/lib/layout/layout'
import { texts } from '#/renderer/lib/texts'
import { FindInPage } from './FindInPage'
import { AppRoutes } from './routes'
import { SignOut } from './SignOut'

interface AppProps {
  /** Asks the host again which server to use. */
  onReconnect: () => void
}

export function App({ onReconnect }: AppProps) {
  const isUnavailable = useServerInfo((state) => state.isUnavailable)
  const direction = useDirection()
  const isRestored = useConfirmation() !== 'confirmed'
  return (
    // Without it, Radix makes tabs, menus and radio groups left-to-right.
    <Direction.Provider dir={direction}>
      <BrowserRouter>
        <FindInPage />
        <ErrorBoundary>
          <SystemBanners />
          <SignOut />
          {isUnavailable && !isRestored ? (
            <main className="grid min-h-[70vh] place-items-center p-6">
              <Failure
                title={texts.session.noServer}
                body={texts.session.noServerBody}
                onRetry={onReconnect}
              />
            </main>
          ) : (
            <AppRoutes />
          )}
        </ErrorBoundary>
      </BrowserRouter>
    </Direction.Provider>
  )
}

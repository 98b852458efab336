import { BrowserRouter } from 'react-router-dom'
import { Button } from '#/renderer/components/Button'
import { SystemNotices } from '#/renderer/features/desktop'
import { useServerInfo } from '#/renderer/lib/server-info'
import { texts } from '#/renderer/lib/texts'
import { ErrorBoundary } from './ErrorBoundary'
import { AppRoutes } from './routes'

interface AppProps {
  /** Asks the host once more which server to use. */
  onReconnect: () => void
}

export function App({ onReconnect }: AppProps) {
  const isUnavailable = useServerInfo((state) => state.isUnavailable)
  return (
    <BrowserRouter>
      <ErrorBoundary>
        <SystemNotices />
        {isUnavailable ? <ServerUnavailable onRetry={onReconnect} /> : <AppRoutes />}
      </ErrorBoundary>
    </BrowserRouter>
  )
}

function ServerUnavailable({ onRetry }: { onRetry: () => void }) {
  return (
    <main className="grid min-h-[70vh] place-items-center p-6 text-center">
      <div role="alert" className="max-w-90">
        <h1 className="font-display text-[24px]">{texts.server.unavailable}</h1>
        <p className="mt-1.5 mb-5 text-quiet">{texts.server.unavailableBody}</p>
        <Button variant="primary" onClick={onRetry}>
          {texts.tryAgain}
        </Button>
      </div>
    </main>
  )
}

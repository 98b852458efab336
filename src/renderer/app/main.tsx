import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { endRefusedSession, followSession, handleRecoveryLinks } from '#/renderer/features/auth'
import { desktop, onServing, startPreferences } from '#/renderer/features/desktop'
import { checkConnection, handleSocketClosed } from '#/renderer/lib/live'
import { connectLogger, logFailure } from '#/renderer/lib/logger'
import { finishWhenAsked } from '#/renderer/lib/pending-work-store'
import { useServerInfo } from '#/renderer/lib/server-info'
import { connectSupabase } from '#/renderer/lib/supabase'
import { trackWindow } from '#/renderer/lib/visibility'
import { App } from './App'
import { preventFileNavigation } from './file-drops'
import { trackPointerInput } from './focus-ring'
import './styles.css'

async function connect(): Promise<void> {
  // Two clients with the same stored session would invalidate each other's refresh tokens.
  if (useServerInfo.getState().isConnecting) return
  useServerInfo.setState({ isConnecting: true })
  try {
    const server = await desktop.server.current()
    useServerInfo.setState({ server, isUnavailable: false })
    const client = connectSupabase(server, desktop.session, {
      onSocketClosed: handleSocketClosed,
      onSlowResponse: checkConnection,
      onSessionRefused: endRefusedSession,
    })
    followSession(client)
    handleRecoveryLinks(desktop.authLinks)
  } catch (cause) {
    logFailure('find the server', cause)
    useServerInfo.setState({ isUnavailable: true })
  } finally {
    useServerInfo.setState({ isConnecting: false })
  }
}

connectLogger(desktop)
trackWindow(desktop.window)
preventFileNavigation()
trackPointerInput()
void startPreferences()
finishWhenAsked(desktop.quit)
onServing(() => {
  if (useServerInfo.getState().isUnavailable) void connect()
})
void connect()

const root = document.getElementById('root')
if (root === null) throw new Error('index.html has no #root')
createRoot(root).render(
  <StrictMode>
    <App onReconnect={connect} />
  </StrictMode>,
)

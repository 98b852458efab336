import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { followSession, handleRecoveryLinks } from '#/renderer/features/auth'
import { desktop, onServing, startPreferences } from '#/renderer/features/desktop'
import { connectLogger, logFailure } from '#/renderer/lib/logger'
import { useServerInfo } from '#/renderer/lib/server-info'
import { connectSupabase } from '#/renderer/lib/supabase'
import { finishWhenAsked } from '#/renderer/lib/under-way'
import { trackWindow } from '#/renderer/lib/visibility'
import { App } from './App'
import { preventFileNavigation } from './file-drops'
import { trackPointerInput } from './focus-ring'
import './styles.css'

let connecting = false

async function connect(): Promise<void> {
  // Two clients with the same stored session would invalidate each other's refresh tokens.
  if (connecting) return
  connecting = true
  try {
    const server = await desktop.server.current()
    useServerInfo.setState({ server, isUnavailable: false })
    followSession(connectSupabase(server, desktop.session))
    handleRecoveryLinks(desktop.authLinks)
  } catch (cause) {
    logFailure('find the server', cause)
    useServerInfo.setState({ isUnavailable: true })
  } finally {
    connecting = false
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

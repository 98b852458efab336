import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { followSession } from '#/renderer/features/auth'
import { desktop, startPreferences } from '#/renderer/features/desktop'
import { connectLogger, logFailure } from '#/renderer/lib/logger'
import { useServerInfo } from '#/renderer/lib/server-info'
import { connectSupabase } from '#/renderer/lib/supabase'
import { App } from './App'
import './styles.css'

async function connect(): Promise<void> {
  try {
    const server = await desktop.server.current()
    useServerInfo.setState({ server, isUnavailable: false })
    followSession(connectSupabase(server, desktop.session))
  } catch (cause) {
    logFailure('find the server', cause)
    useServerInfo.setState({ isUnavailable: true })
  }
}

connectLogger(desktop)
void startPreferences()
void connect()

const root = document.getElementById('root')
if (root === null) throw new Error('index.html has no #root')
createRoot(root).render(
  <StrictMode>
    <App onReconnect={connect} />
  </StrictMode>,
)

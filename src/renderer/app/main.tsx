import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { desktop, onServing, startPreferences } from '#/renderer/features/desktop'
import { connectLogger } from '#/renderer/lib/logger'
import { finishWhenAsked } from '#/renderer/lib/pending-work-store'
import { useServerInfo } from '#/renderer/lib/server-info'
import { trackWindow } from '#/renderer/lib/visibility'
import { App } from './App'
import { connect, restoreFromDisk } from './connect'
import { preventFileNavigation } from './file-drops'
import { trackPointerInput } from './focus-ring'
import './styles.css'

connectLogger(desktop)
trackWindow(desktop.window)
preventFileNavigation()
trackPointerInput()
void startPreferences()
finishWhenAsked(desktop.quit)
onServing(() => {
  if (useServerInfo.getState().isUnavailable) void connect()
})
void connect(restoreFromDisk())

const root = document.getElementById('root')
if (root === null) throw new Error('index.html has no #root')
createRoot(root).render(
  <StrictMode>
    <App onReconnect={connect} />
  </StrictMode>,
)

import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { desktop, onServing, startPreferences } from '#/renderer/features/desktop'
import { cutLongPastes } from '#/renderer/lib/browser/text-field'
import { trackWindow } from '#/renderer/lib/browser/visibility'
import { connectLogger } from '#/renderer/lib/core/logger'
import { finishWhenAsked } from '#/renderer/lib/core/pending-work-store'
import { wait } from '#/renderer/lib/core/schedule'
import { useServerInfo } from '#/renderer/lib/core/server-info'
import { startTextSize } from '#/renderer/lib/layout/text-size'
import { App } from './App'
import { connect, restoreFromDisk } from './connect'
import { preventFileNavigation } from './file-drops'
import { trackPointerInput } from './focus-ring'
import { keepKeysOfInputMethods } from './input-method'
import { answerSavedPictures } from './save-picture'
import './styles.css'

connectLogger(desktop)
trackWindow(desktop.window)
preventFileNavigation()
trackPointerInput()
keepKeysOfInputMethods()
cutLongPastes()
void startPreferences()
startTextSize()
finishWhenAsked(desktop.quit)
answerSavedPictures(desktop.files)
onServing(() => {
  if (useServerInfo.getState().isUnavailable) void connect()
})

/**
 * How long the first screen waits for the disk, in milliseconds: reading it is usually faster than rendering a spinner.
 */
const DISK_MS = 100
/** Longest wait for the first paint, in milliseconds: a window in the background does not paint. */
const PAINT_MS = 100

/** Renders the app. Resolves when the restored content is painted. */
async function showFirst(restored: Promise<boolean>): Promise<void> {
  await Promise.race([restored, wait(DISK_MS)])
  const root = document.getElementById('root')
  if (root === null) throw new Error('index.html has no #root')
  createRoot(root).render(
    <StrictMode>
      <App onReconnect={connect} />
    </StrictMode>,
  )
  if (!(await restored)) return
  const frame = new Promise((resolve) => requestAnimationFrame(resolve))
  await Promise.race([frame.then(() => wait()), wait(PAINT_MS)])
}

void connect(showFirst(restoreFromDisk()))

// Nothing waits for it, and without it emojis look as the system draws them.
requestIdleCallback(() => {
  void import('#/renderer/lib/content/emoji-font').then(
    ({ declareEmojiFont }) => declareEmojiFont(),
    () => undefined,
  )
})

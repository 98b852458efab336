import { showToast } from '#/renderer/lib/core/toasts'
import { texts } from '#/renderer/lib/texts'

/** In sessionStorage: it is about this window, and outlives its reload. */
const KEY = 'vignette.recovery-lost'

/** Another window has ended the step for a new password, and this page is about to be loaded again. */
export function rememberLostRecovery(): void {
  try {
    sessionStorage.setItem(KEY, '1')
  } catch {
    // The browser does not allow it: the reload says nothing.
  }
}

/** Says in the new page what happened to the recovery. */
export function reportLostRecovery(): void {
  try {
    if (sessionStorage.getItem(KEY) === null) return
    sessionStorage.removeItem(KEY)
  } catch {
    return
  }
  showToast({ text: texts.auth.recoveryLost })
}

import type { App } from 'electron'
import type { DocumentFile } from '#/main/files/document-file'
import type { Log } from '#/main/log'
import type { Preferences } from '#/shared/preferences'

/** So many crashes of the GPU process within this time turn hardware acceleration off at the next start. */
const CRASHES = 2
const CRASHES_WITHIN_MS = 60_000

export interface GraphicsParts {
  app: Pick<App, 'on' | 'disableHardwareAcceleration'>
  preferences: DocumentFile<Preferences>
  /** Milliseconds from any fixed point. */
  now(): number
  log: Pick<Log, 'warn' | 'error'>
}

/**
 * Turns hardware acceleration off if the preference says so, and changes the preference when the GPU process keeps
 * crashing, after which Chromium ends the whole app. Call before `ready`: Electron refuses it later.
 * @returns whether this run uses hardware acceleration.
 */
export function setupGraphics({ app, preferences, now, log }: GraphicsParts): boolean {
  if (preferences.read().hardwareAcceleration !== 'on') {
    app.disableHardwareAcceleration()
    return false
  }
  let crashes: number[] = []
  app.on('child-process-gone', (_event, { type, reason }) => {
    // Somebody ended it: the app, the system or the member.
    if (type !== 'GPU' || reason === 'clean-exit' || reason === 'killed') return
    crashes = [...crashes, now()].filter((at) => now() - at < CRASHES_WITHIN_MS)
    const current = preferences.read()
    if (crashes.length < CRASHES || current.hardwareAcceleration !== 'on') return
    log.warn('hardware acceleration is off from the next start on')
    try {
      preferences.write({ ...current, hardwareAcceleration: 'crashed' })
    } catch (cause) {
      log.error('could not turn hardware acceleration off', cause)
    }
  })
  return true
}

import { desktop } from './desktop'

/** Calls back whenever the embedded server has started, also after a restart. Returns an unsubscribe function. */
export function onServing(listener: () => void): () => void {
  return desktop.backend.onChange(({ state }) => {
    if (state === 'ready' || state === 'restored') listener()
  })
}

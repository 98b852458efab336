import { desktop } from './desktop'

/** Calls back whenever the server on this computer has come up, also after it was restarted. Gives its unsubscribe. */
export function onServing(listener: () => void): () => void {
  return desktop.backend.onChange(({ state }) => {
    if (state === 'ready' || state === 'restored') listener()
  })
}

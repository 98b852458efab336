import { useSyncExternalStore } from 'react'
import { useConnection } from './live'

function subscribe(listener: () => void): () => void {
  const events = ['online', 'offline']
  for (const event of events) window.addEventListener(event, listener)
  return () => {
    for (const event of events) window.removeEventListener(event, listener)
  }
}

/** Whether the server can probably be reached. */
export function useIsOnline(): boolean {
  const { state } = useConnection()
  const hasNetwork = useSyncExternalStore(
    subscribe,
    () => navigator.onLine,
    () => true,
  )
  return state !== 'lost' && hasNetwork
}

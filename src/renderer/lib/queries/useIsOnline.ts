import { useSyncExternalStore } from 'react'
import { AppError } from '#/renderer/lib/core/errors'
import { useConnection } from '#/renderer/lib/live'

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

/**
 * Whether the server cannot be reached, as far as the app knows or a read has just found: its first attempt says so seconds
 * before its last one.
 * @param failure of the latest attempt of the read; null for none
 */
export function useIsUnreachable(failure: unknown): boolean {
  const isOnline = useIsOnline()
  return !isOnline || (failure instanceof AppError && failure.code === 'offline')
}

import { useSessionStore } from './session'

/** Returns a signal that aborts when this member signs out. */
export function signedInSignal(id: string): AbortSignal {
  const controller = new AbortController()
  const isSignedIn = () => {
    const { session } = useSessionStore.getState()
    return session.status === 'signed-in' && session.me.id === id
  }
  if (isSignedIn()) {
    const unsubscribe = useSessionStore.subscribe(() => {
      if (isSignedIn()) return
      unsubscribe()
      controller.abort()
    })
  } else controller.abort()
  return controller.signal
}

import { useSessionStore } from './session'

/** Aborted once this member is no longer the one who is signed in. */
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

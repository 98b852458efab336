import { useSyncExternalStore } from 'react'

const EVENTS = ['focus', 'blur', 'visibilitychange'] as const

function subscribe(notify: () => void): () => void {
  for (const event of EVENTS) window.addEventListener(event, notify, true)
  return () => {
    for (const event of EVENTS) window.removeEventListener(event, notify, true)
  }
}

/** Whether the window is on screen and the one that is worked in. */
export function useIsLooking(): boolean {
  return useSyncExternalStore(subscribe, () => document.visibilityState === 'visible' && document.hasFocus())
}

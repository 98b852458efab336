import { create } from 'zustand'

/** Videos are muted until the member turns sound on; the choice lasts until the window is reloaded. */
const useSound = create<{ isMuted: boolean }>(() => ({ isMuted: true }))

export function useMuted(): [isMuted: boolean, toggle: () => void] {
  const isMuted = useSound((state) => state.isMuted)
  return [isMuted, toggle]
}

function toggle(): void {
  useSound.setState(({ isMuted }) => ({ isMuted: !isMuted }))
}

/** Turns sound off where the browser does not play with it. */
export function mute(): void {
  useSound.setState({ isMuted: true })
}

/** Calls back with the choice, now and after each change. Returns its unsubscribe function. */
export function followMuted(apply: (isMuted: boolean) => void): () => void {
  apply(useSound.getState().isMuted)
  return useSound.subscribe(({ isMuted }) => apply(isMuted))
}

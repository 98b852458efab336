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

import { create } from 'zustand'

/** Whether videos are heard. Off until asked for; then it stays as it was chosen until the window is loaded anew. */
const useSound = create<{ isMuted: boolean }>(() => ({ isMuted: true }))

/** Whether sound is off, and how to change that. */
export function useMuted(): [boolean, () => void] {
  const isMuted = useSound((state) => state.isMuted)
  return [isMuted, toggle]
}

function toggle(): void {
  useSound.setState(({ isMuted }) => ({ isMuted: !isMuted }))
}

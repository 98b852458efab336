import { useEffect, useState } from 'react'
import { logFailure } from '#/renderer/lib/core/logger'

interface FullScreen {
  isPossible: boolean
  isOn: boolean
  toggle: () => void
}

/** The page in full screen, which ends with the component. The whole page, so that menus and dialogs are shown too. */
export function useFullScreen(): FullScreen {
  const [isOn, setIsOn] = useState(false)
  useEffect(() => {
    const handleChange = () => setIsOn(document.fullscreenElement !== null)
    document.addEventListener('fullscreenchange', handleChange)
    return () => {
      document.removeEventListener('fullscreenchange', handleChange)
      if (document.fullscreenElement !== null) leave()
    }
  }, [])
  const enter = () => {
    document.documentElement.requestFullscreen().catch(logRefusal)
  }
  return { isPossible: document.fullscreenEnabled, isOn, toggle: isOn ? leave : enter }
}

function leave(): void {
  document.exitFullscreen().catch(logRefusal)
}

function logRefusal(cause: unknown): void {
  logFailure('full screen', cause)
}

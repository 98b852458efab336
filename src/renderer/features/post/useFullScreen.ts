import { type RefObject, useEffect, useState } from 'react'
import { logFailure } from '#/renderer/lib/core/logger'

interface FullScreen {
  isPossible: boolean
  isOn: boolean
  toggle: () => void
}

/**
 * Full screen, which ends with the component: of an element, or of the whole page, so that menus and dialogs are shown too. The page
 * counts as shown while any of its elements is.
 */
export function useFullScreen(element?: RefObject<Element | null>): FullScreen {
  const [isOn, setIsOn] = useState(false)
  useEffect(() => {
    const isShown = () =>
      document.fullscreenElement !== null &&
      (element === undefined || document.fullscreenElement === element.current)
    const handleChange = () => setIsOn(isShown())
    document.addEventListener('fullscreenchange', handleChange)
    return () => {
      document.removeEventListener('fullscreenchange', handleChange)
      if (isShown()) leave()
    }
  }, [element])
  const enter = () => {
    const target = element === undefined ? document.documentElement : element.current
    target?.requestFullscreen().catch(logRefusal)
  }
  return { isPossible: document.fullscreenEnabled, isOn, toggle: isOn ? leave : enter }
}

function leave(): void {
  document.exitFullscreen().catch(logRefusal)
}

function logRefusal(cause: unknown): void {
  logFailure('full screen', cause)
}

import { type Dispatch, useEffect, useEffectEvent } from 'react'
import { isTyping } from '#/renderer/lib/shortcuts'
import type { PlaybackEvent } from './playback'

interface StoryKeys {
  dispatch: Dispatch<PlaybackEvent>
  onTogglePause: () => void
  onToggleSound: () => void
  /** Something lies over the viewer: the keys are its own. */
  isCovered: boolean
}

/**
 * The keys of the viewer: left and right arrow are taps on that half, with Shift they lead to the next or previous
 * member; the space bar stops and goes on, m is for the sound. Escape is the dialog's.
 */
export function useStoryKeys({ dispatch, onTogglePause, onToggleSound, isCovered }: StoryKeys): void {
  const handleKey = useEffectEvent((event: KeyboardEvent) => {
    if (isCovered || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
    if (event.key === 'ArrowLeft' || event.key === 'ArrowRight') {
      const isRight = event.key === 'ArrowRight'
      dispatch(
        event.shiftKey
          ? { type: 'step-member', to: isRight ? 'next' : 'previous' }
          : { type: 'tap', side: isRight ? 'right' : 'left' },
      )
    } else if (event.key === ' ') {
      // On a button or link the space bar presses that.
      if (event.repeat || (event.target instanceof Element && event.target.closest('a, button') !== null))
        return
      onTogglePause()
    } else if (event.key === 'm' && !event.repeat) {
      onToggleSound()
    } else {
      return
    }
    event.preventDefault()
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent) => handleKey(event)
    window.addEventListener('keydown', listen)
    return () => window.removeEventListener('keydown', listen)
  }, [])
}

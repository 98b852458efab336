import { type Dispatch, useEffect, useReducer } from 'react'
import { useIsVisible } from '#/renderer/lib/visibility'
import { STORY } from '#/shared/limits'
import {
  isHeld,
  type Playback,
  type PlaybackEvent,
  type PlayedStory,
  playbackReducer,
  startPlayback,
} from './playback'

/** Plays these stories from the given one on; what the list is later does not matter. */
export function usePlayback(
  stories: readonly PlayedStory[],
  startId: string,
): [Playback, Dispatch<PlaybackEvent>] {
  const [playback, dispatch] = useReducer(playbackReducer, null, () => startPlayback(stories, startId))
  const isRunning = playback.isFlowing && !playback.isOver && !isHeld(playback)

  useEffect(() => {
    if (!isRunning) return
    const timer = setInterval(() => dispatch({ type: 'tick' }), STORY.tickMs)
    return () => clearInterval(timer)
  }, [isRunning])

  const isVisible = useIsVisible()
  useEffect(() => dispatch({ type: isVisible ? 'release' : 'hold', by: 'hidden' }), [isVisible])

  return [playback, dispatch]
}

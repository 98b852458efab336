import { type Dispatch, useEffect, useReducer } from 'react'
import { desktop } from '#/renderer/features/desktop'
import type { WindowState } from '#/shared/bridge'
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

  useEffect(() => {
    const tell = ({ isVisible }: WindowState) =>
      dispatch({ type: isVisible ? 'release' : 'hold', by: 'hidden' })
    void desktop.window.state().then(tell)
    return desktop.window.onChange(tell)
  }, [])

  return [playback, dispatch]
}

import { useLocation, useNavigate } from 'react-router-dom'
import { readStoryState, withoutStory } from './address'

/** Leaves the story, or the form that makes one, for the page below. */
export function useLeaveStory(): () => void {
  const navigate = useNavigate()
  const { state } = useLocation()
  return () => {
    // Opened from the page, that is the entry before; opened by its address, there is none.
    if (readStoryState(state).members !== null) void navigate(-1)
    else void navigate({ search: withoutStory(window.location.search) }, { replace: true })
  }
}

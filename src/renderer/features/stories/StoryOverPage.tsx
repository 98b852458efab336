import { lazy } from 'react'
import { useLocation } from 'react-router-dom'
import { NEW_STORY, openStoryId } from './address'

const StoryDialog = lazy(async () => ({ default: (await import('./viewer/StoryDialog')).StoryDialog }))
const MakeStoryDialog = lazy(async () => ({
  default: (await import('./making/MakeStoryDialog')).MakeStoryDialog,
}))

/** What the address opens over the page: a story, or the form that makes one. */
export function StoryOverPage() {
  return openStoryId(useLocation().search) === NEW_STORY ? <MakeStoryDialog /> : <StoryDialog />
}

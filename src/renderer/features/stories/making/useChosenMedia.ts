import { useEffect } from 'react'
import { desktop } from '#/renderer/features/desktop'
import { createMediaChooser, prepareStoryMedia } from '#/renderer/lib/media'
import { dispatch } from './making-store'

const chooser = createMediaChooser({
  what: 'choose story media',
  prepare: prepareStoryMedia,
  onChange: (change) => dispatch({ type: 'media', change }),
})

const pickMedia = (kind: 'photo' | 'video') => chooser.takeFile(() => desktop.files.pick(kind), kind)

/** The ways a photo or video gets into the story: the file dialog, and whatever else gives a Blob. */
export function useChosenMedia() {
  // Leaving the form ends the work; what was there before stays.
  useEffect(() => chooser.cancel, [])

  return { pickMedia, takeMedia: chooser.take, cancelMedia: chooser.cancel }
}

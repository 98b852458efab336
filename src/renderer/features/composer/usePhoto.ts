import { useEffect } from 'react'
import { desktop } from '#/renderer/features/desktop'
import { createMediaChooser, preparePicture } from '#/renderer/lib/media'
import { dispatch } from './composer-store'

const chooser = createMediaChooser({
  what: 'choose photo',
  prepare: preparePicture,
  onChange: (change) => dispatch({ type: 'photo', change }),
})

const pickPhoto = () => chooser.takeFile(() => desktop.files.pick('photo'))

/** The ways a photo gets into the post: the file dialog, the host, and whatever else gives a Blob. */
export function usePhoto() {
  // Leaving the screen ends the work; the picture from before stays.
  useEffect(() => chooser.cancel, [])

  // Dropped on the app's icon or named on its command line, before the screen was there or now.
  useEffect(() => {
    const takeOpened = () => void chooser.takeFile(desktop.files.takeOpened)
    takeOpened()
    return desktop.files.onOpened(takeOpened)
  }, [])

  return { pickPhoto, takePhoto: chooser.take, cancelPhoto: chooser.cancel }
}

import { useEffect, useMemo } from 'react'
import { desktop } from '#/renderer/features/desktop'
import { createMediaChooser, type MediaChoiceChange, preparePicture } from '#/renderer/lib/media'
import { type DraftPhoto, setDraftAttachments } from './draft-attachments'
import type { OutgoingPhoto } from './new-message'

/** The ways a photo gets into a message: the file dialog, and whatever else gives a Blob. */
export function useMessagePhoto(conversationId: string) {
  const chooser = useMemo(
    () =>
      createMediaChooser({
        what: 'choose message photo',
        prepare: prepareOutgoing,
        onChange: (change) => setDraftAttachments(conversationId, { photo: photoAfter(change) }),
      }),
    [conversationId],
  )
  // Leaving the conversation ends the work; what is ready stays.
  useEffect(() => chooser.cancel, [chooser])

  /** `onPicked` is called before the photo is worked on. */
  const pickPhoto = (onPicked: () => void) =>
    chooser.takeFile(async () => {
      const file = await desktop.files.pick('photo')
      if (file !== null) onPicked()
      return file
    })

  const removePhoto = () => {
    chooser.cancel()
    setDraftAttachments(conversationId, { photo: { state: 'none' } })
  }

  return { pickPhoto, takePhoto: chooser.take, removePhoto }
}

async function prepareOutgoing(...chosen: Parameters<typeof preparePicture>): Promise<OutgoingPhoto> {
  const { dataUrl, thumbnailUrl, width, height } = await preparePicture(...chosen)
  return {
    id: crypto.randomUUID(),
    image_url: dataUrl,
    thumbnail_url: thumbnailUrl,
    image_width: width,
    image_height: height,
  }
}

/** A message's next photo takes the place of the one before at once: that one is not kept until it is ready. */
function photoAfter(change: MediaChoiceChange<OutgoingPhoto>): DraftPhoto {
  switch (change.type) {
    case 'chosen':
      return { state: 'working', progress: 0 }
    case 'progress':
      return { state: 'working', progress: change.fraction }
    case 'ready':
      return { state: 'ready', photo: change.media }
    case 'refused':
      return { state: 'refused', code: change.code }
    case 'cancelled':
      return { state: 'none' }
  }
}

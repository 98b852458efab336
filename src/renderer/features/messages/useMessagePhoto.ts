import { useEffect, useMemo, useState } from 'react'
import { desktop } from '#/renderer/features/desktop'
import { newId } from '#/renderer/lib/core/uuid'
import {
  checkStorage,
  createMediaChooser,
  type MediaChoiceChange,
  photoNote,
  preparePicture,
  previewPicture,
} from '#/renderer/lib/media'
import { type DraftPhoto, getDraftAttachments, setDraftAttachments } from './draft-attachments-store'
import type { OutgoingPhoto } from './message'

/** Chooses the photo of a draft, with the file dialog or from a Blob. */
export function useMessagePhoto(conversationId: string) {
  const [isAsking, setIsAsking] = useState(false)
  const chooser = useMemo(
    () =>
      createMediaChooser({
        what: 'choose message photo',
        prepare: prepareOutgoing,
        preview: previewPicture,
        onChange: (change) => {
          const { photo } = getDraftAttachments(conversationId)
          setDraftAttachments(conversationId, { photo: photoAfter(photo, change) })
        },
        onAsking: setIsAsking,
      }),
    [conversationId],
  )
  // Leaving the conversation cancels the preparation; a prepared photo stays.
  useEffect(() => chooser.cancel, [chooser])

  /** `onPicked` is called before the photo is prepared. */
  const pickPhoto = (onPicked: () => void) =>
    chooser.takeFile(async () => {
      await checkStorage()
      const file = await desktop.files.pick('photo')
      if (file !== null) onPicked()
      return file
    })

  const removePhoto = () => {
    chooser.cancel()
    setDraftAttachments(conversationId, { photo: { state: 'none' } })
  }

  return { isAsking, pickPhoto, takePhoto: chooser.take, removePhoto }
}

async function prepareOutgoing(...chosen: Parameters<typeof preparePicture>): Promise<OutgoingPhoto> {
  await checkStorage()
  const note = await photoNote(chosen[0])
  return { id: newId(), ...(note && { note }), picture: await preparePicture(...chosen) }
}

/** A new photo replaces the previous one immediately, before it is prepared. */
function photoAfter(photo: DraftPhoto, change: MediaChoiceChange<OutgoingPhoto>): DraftPhoto {
  switch (change.type) {
    case 'chosen':
      return { state: 'working', progress: 0, preview: null }
    case 'progress':
      return photo.state === 'working' ? { ...photo, progress: change.fraction } : photo
    case 'previewed':
      return photo.state === 'working' ? { ...photo, preview: change.preview } : photo
    case 'ready':
      return { state: 'ready', photo: change.media }
    case 'refused':
      return { state: 'refused', code: change.code, name: change.name }
    case 'cancelled':
      return { state: 'none' }
  }
}

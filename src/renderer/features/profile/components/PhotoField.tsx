import { useEffect, useRef, useState } from 'react'
import { Alert } from '#/renderer/components/Alert'
import { Avatar, type AvatarMember } from '#/renderer/components/Avatar'
import { Button } from '#/renderer/components/Button'
import { desktop } from '#/renderer/features/desktop'
import { useLocalUrl } from '#/renderer/lib/browser/object-url'
import {
  checkStorage,
  fileRefusal,
  type MediaErrorCode,
  nameOf,
  type PhotoNote,
  photoNote,
  prepareAvatar,
  refusedName,
  type SquareCrop,
  toMediaErrorCode,
  type ViewablePicture,
  viewPicture,
} from '#/renderer/lib/media'
import { useMayStoreMedia } from '#/renderer/lib/media/source/storage-store'
import { texts } from '#/renderer/lib/texts'
import type { NewPicture } from '../model'
import { CropDialog } from './CropDialog'

interface PhotoFieldProps {
  /** The stored profile. */
  profile: AvatarMember
  /** Undefined if the stored picture stays. */
  picture: NewPicture | undefined
  onChange: (picture: NewPicture | undefined) => void
  /** Called with true while a file is being chosen or read. */
  onChoosing: (isChoosing: boolean) => void
  isLocked: boolean
}

/** A preview of the profile picture, with buttons to change it. */
export function PhotoField({ profile, picture, onChange, onChoosing, isLocked }: PhotoFieldProps) {
  const mayTakePicture = useMayStoreMedia()
  const { choice, pick, crop, cancel } = useProfilePhoto(onChange, onChoosing)
  const changeButton = useRef<HTMLButtonElement>(null)
  const handleRemove = () => {
    onChange(hasStored ? null : undefined)
    // This button is removed, unless the stored picture returns.
    changeButton.current?.focus()
  }
  const url = useLocalUrl(picture ?? null)
  const shown =
    picture === undefined ? profile : { username: profile.username, avatar_url: url, avatar_path: null }
  const hasStored = profile.avatar_url !== null || profile.avatar_path !== null
  const hasPicture = picture === undefined ? hasStored : picture !== null
  return (
    <div className="grid gap-3">
      <div className="flex items-center gap-4">
        <Avatar member={shown} size={80} />
        <div className="flex flex-wrap gap-2">
          {mayTakePicture && (
            <Button ref={changeButton} onClick={pick} disabled={isLocked}>
              {texts.editProfile.changePhoto}
            </Button>
          )}
          {hasPicture && (
            <Button variant="quiet" onClick={handleRemove} disabled={isLocked}>
              {texts.editProfile.removePhoto}
            </Button>
          )}
        </div>
      </div>
      {!mayTakePicture && <p className="text-[14px] text-quiet">{texts.media['no-storage']}</p>}
      {choice.state === 'refused' && <Alert>{fileRefusal(choice.name, choice.code)}</Alert>}
      {choice.state === 'cropping' && (
        <CropDialog
          picture={choice.picture}
          note={choice.note}
          isBusy={choice.isBusy}
          onCrop={crop}
          onClose={cancel}
        />
      )}
    </div>
  )
}

type Choice =
  | { state: 'none' }
  | { state: 'cropping'; picture: ViewablePicture; note: PhotoNote | null; isBusy: boolean }
  | { state: 'refused'; code: MediaErrorCode; name: string | null }

/** Lets the member choose a profile picture: file dialog, crop, encoding. */
export function useProfilePhoto(onReady: (picture: Blob) => void, onChoosing: (isChoosing: boolean) => void) {
  const [choice, setChoice] = useState<Choice>({ state: 'none' })
  const controller = useRef<AbortController | null>(null)
  /** How many files are being chosen or read. */
  const choosing = useRef(0)
  useEffect(() => () => controller.current?.abort(), [])

  /** Runs one step, which names the file once it is known, and aborts the previous one. */
  const run = async (step: (signal: AbortSignal, onFile: (file: Blob) => void) => Promise<void>) => {
    controller.current?.abort()
    controller.current = new AbortController()
    const { signal } = controller.current
    let name: string | null = null
    try {
      await step(signal, (file) => {
        name = nameOf(file)
      })
    } catch (cause) {
      if (signal.aborted) return
      const code = toMediaErrorCode(cause, 'choose profile photo')
      setChoice({ state: 'refused', code, name: refusedName(cause) ?? name })
    }
  }

  const view = (source: File) =>
    run(async (signal, onFile) => {
      onFile(source)
      await checkStorage()
      const note = await photoNote(source)
      const picture = await viewPicture(source, { signal })
      if (!signal.aborted) setChoice({ state: 'cropping', picture, note, isBusy: false })
    })

  const pick = async () => {
    choosing.current += 1
    onChoosing(true)
    try {
      const file = await desktop.files.pick('avatar')
      if (file !== null) await view(new File([file.bytes], file.name))
    } catch (cause) {
      const code = toMediaErrorCode(cause, 'choose profile photo')
      setChoice({ state: 'refused', code, name: refusedName(cause) })
    }
    choosing.current -= 1
    // While a second file is being read, the field stays busy.
    if (choosing.current === 0) onChoosing(false)
  }

  const crop = (square: SquareCrop) =>
    run(async (signal, onFile) => {
      if (choice.state !== 'cropping') return
      onFile(choice.picture.source)
      setChoice({ ...choice, isBusy: true })
      const picture = await prepareAvatar(choice.picture.source, square, { signal })
      setChoice({ state: 'none' })
      onReady(picture)
    })

  const cancel = () => {
    controller.current?.abort()
    setChoice({ state: 'none' })
  }

  return { choice, pick, crop, cancel }
}

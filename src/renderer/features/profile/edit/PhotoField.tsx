import { Alert } from '#/renderer/components/Alert'
import { Avatar } from '#/renderer/components/Avatar'
import { Button } from '#/renderer/components/Button'
import { texts } from '#/renderer/lib/texts'
import { CropDialog } from './CropDialog'
import { useProfilePhoto } from './useProfilePhoto'

interface PhotoFieldProps {
  username: string
  avatarUrl: string | null
  onChange: (avatarUrl: string | null) => void
  isLocked: boolean
}

/** A preview of the profile picture, with buttons to change it. */
export function PhotoField({ username, avatarUrl, onChange, isLocked }: PhotoFieldProps) {
  const { choice, pick, crop, cancel } = useProfilePhoto(onChange)
  return (
    <div className="grid gap-3">
      <div className="flex items-center gap-4">
        <Avatar username={username} src={avatarUrl} size={80} />
        <div className="flex flex-wrap gap-2">
          <Button onClick={pick} disabled={isLocked}>
            {texts.editProfile.changePhoto}
          </Button>
          {avatarUrl !== null && (
            <Button variant="quiet" onClick={() => onChange(null)} disabled={isLocked}>
              {texts.editProfile.removePhoto}
            </Button>
          )}
        </div>
      </div>
      {choice.state === 'refused' && <Alert>{texts.media[choice.code]}</Alert>}
      {choice.state === 'cropping' && (
        <CropDialog picture={choice.picture} isBusy={choice.isBusy} onCrop={crop} onClose={cancel} />
      )}
    </div>
  )
}

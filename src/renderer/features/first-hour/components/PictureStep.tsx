import { useState } from 'react'
import { Alert } from '#/renderer/components/Alert'
import { Button } from '#/renderer/components/Button'
import { useMe } from '#/renderer/features/auth'
import { type NewPicture, PhotoField, useSavePictureMutation } from '#/renderer/features/profile'
import { texts } from '#/renderer/lib/texts'
import { Step, type StepProps } from './Step'

const words = texts.firstHour

export function PictureStep(step: StepProps) {
  const { profile } = useMe()
  const [picture, setPicture] = useState<NewPicture>()
  const [isChoosing, setIsChoosing] = useState(false)
  const saving = useSavePictureMutation(profile)
  const handleNext = () => {
    if (picture != null) saving.mutate(picture, { onSuccess: step.onDone })
  }
  return (
    <Step
      {...step}
      position={1}
      title={words.pictureTitle}
      body={words.pictureBody}
      action={
        <Button
          variant="primary"
          onClick={handleNext}
          disabled={picture == null || isChoosing || saving.isPending}
        >
          {saving.isPending ? words.saving : words.next}
        </Button>
      }
    >
      <PhotoField
        profile={profile}
        picture={picture}
        onChange={setPicture}
        onChoosing={setIsChoosing}
        isLocked={saving.isPending}
      />
      {saving.isError && (
        <div className="mt-3">
          <Alert>{saving.error.message}</Alert>
        </div>
      )}
    </Step>
  )
}

import { useState } from 'react'
import { Button } from '#/renderer/components/Button'
import { useProfileSetting } from '#/renderer/features/settings'
import { texts } from '#/renderer/lib/texts'
import { Step, type StepProps } from './Step'

const words = texts.firstHour
const CHOICES = [
  { isPrivate: false, label: words.public, body: words.publicBody },
  { isPrivate: true, label: words.private, body: words.privateBody },
] as const

export function PrivacyStep(step: StepProps) {
  const { isOn, change } = useProfileSetting('is_private')
  const [isPrivate, setIsPrivate] = useState(isOn)
  const handleNext = () => {
    // It is sent again until it is stored.
    if (isPrivate !== isOn) change(isPrivate)
    step.onDone()
  }
  return (
    <Step
      {...step}
      position={2}
      title={words.privacyTitle}
      body={words.privacyNote}
      action={
        <Button variant="primary" onClick={handleNext}>
          {words.next}
        </Button>
      }
    >
      <fieldset className="grid gap-2 sm:grid-cols-2">
        <legend className="sr-only">{words.privacyTitle}</legend>
        {CHOICES.map((choice) => (
          <label
            key={choice.label}
            className="flex items-baseline gap-2.5 rounded-md border border-edge p-3.5 has-checked:border-ink has-checked:bg-sunk"
          >
            <input
              type="radio"
              name="first-hour-privacy"
              checked={isPrivate === choice.isPrivate}
              onChange={() => setIsPrivate(choice.isPrivate)}
              className="accent-accent"
            />
            <span>
              <span className="block font-semibold">{choice.label}</span>
              <span className="block text-[14px] text-quiet">{choice.body}</span>
            </span>
          </label>
        ))}
      </fieldset>
    </Step>
  )
}

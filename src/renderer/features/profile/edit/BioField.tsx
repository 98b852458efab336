import { TextArea } from '#/renderer/components/TextArea'
import { texts } from '#/renderer/lib/texts'
import { TEXT_LIMITS } from '#/shared/limits'

interface BioFieldProps {
  value: string
  onChange: (value: string) => void
}

export function BioField({ value, onChange }: BioFieldProps) {
  return (
    <TextArea
      label={texts.editProfile.bio}
      rows={3}
      placeholder={texts.editProfile.bioPlaceholder}
      value={value}
      limit={TEXT_LIMITS.bio}
      onChange={(event) => onChange(event.target.value)}
      className="max-h-60 min-h-23"
    />
  )
}

import { useId } from 'react'
import { CharactersLeft } from '#/renderer/components/CharactersLeft'
import { texts } from '#/renderer/lib/texts'
import { TEXT_LIMITS } from '#/shared/limits'

interface BioFieldProps {
  value: string
  onChange: (value: string) => void
}

export function BioField({ value, onChange }: BioFieldProps) {
  const id = useId()
  return (
    <div>
      <label htmlFor={id} className="mb-1.5 block font-medium text-[13px] text-quiet">
        {texts.editProfile.bio}
      </label>
      <textarea
        id={id}
        rows={3}
        placeholder={texts.editProfile.bioPlaceholder}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        dir="auto"
        className="field-sizing-content wrap-anywhere block max-h-60 min-h-23 w-full resize-none rounded-md border border-edge bg-raised px-3.5 py-2.5 outline-ink outline-offset-0"
      />
      <CharactersLeft text={value.trim()} limit={TEXT_LIMITS.bio} />
    </div>
  )
}

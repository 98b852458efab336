import { X } from 'lucide-react'
import { useId } from 'react'
import { INPUT_CLASS } from '#/renderer/components/Field'
import { IconButton } from '#/renderer/components/IconButton'
import { texts } from '#/renderer/lib/texts'

const words = texts.settings.computer.spellCheck

const names = new Intl.DisplayNames('en', { type: 'language' })

interface SpellCheckSettingProps {
  /** Chromium's language codes. */
  available: readonly string[]
  chosen: readonly string[]
  onChange: (chosen: string[]) => void
}

/** The languages of the spell checker, and a list of others to add. */
export function SpellCheckSetting({ available, chosen, onChange }: SpellCheckSettingProps) {
  const id = useId()
  const others = available
    .filter((code) => !chosen.includes(code))
    .map((code) => ({ code, name: names.of(code) ?? code }))
    .sort((a, b) => a.name.localeCompare(b.name, 'en'))
  return (
    <div>
      <label htmlFor={id} className="font-medium">
        {words.title}
      </label>
      <p id={`${id}-body`} className="text-[13.5px] text-quiet">
        {chosen.length === 0 ? words.off : words.body}
      </p>
      <ul className="my-2 flex flex-wrap gap-2 empty:hidden">
        {chosen.map((code) => {
          const name = names.of(code) ?? code
          return (
            <li key={code} className="flex items-center gap-1 rounded-md border border-line ps-3">
              {name}
              <IconButton
                label={words.remove(name)}
                onClick={() => onChange(chosen.filter((other) => other !== code))}
              >
                <X />
              </IconButton>
            </li>
          )
        })}
      </ul>
      <select
        id={id}
        value=""
        aria-describedby={`${id}-body`}
        onChange={({ target }) => onChange([...chosen, target.value])}
        className={INPUT_CLASS}
      >
        <option value="" disabled>
          {words.add}
        </option>
        {others.map(({ code, name }) => (
          <option key={code} value={code}>
            {name}
          </option>
        ))}
      </select>
    </div>
  )
}

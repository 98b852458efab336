import { Switch } from 'radix-ui'
import { type ReactNode, useId } from 'react'
import { sectionId } from '../model'

export function SettingsSection({ title, children }: { title: string; children: ReactNode }) {
  const id = sectionId(title)
  return (
    <section
      id={id}
      aria-labelledby={`${id}-title`}
      className="scroll-mt-[calc(var(--bar-height)+16px)] rounded-lg border border-line bg-raised p-5 shadow-card"
    >
      <h2 id={`${id}-title`} tabIndex={-1} className="mb-3 font-semibold text-[15px]">
        {title}
      </h2>
      {children}
    </section>
  )
}

interface SettingSwitchProps {
  label: string
  /** Describes the effect of the setting. */
  body?: string
  /** A second, subdued line with details. */
  note?: string | undefined
  /** News of saving, e.g. that it failed. */
  status?: string
  isOn: boolean
  onChange: (isOn: boolean) => void
}

export function SettingSwitch({ label, body, note, status, isOn, onChange }: SettingSwitchProps) {
  const id = useId()
  return (
    <div className="flex items-center justify-between gap-5">
      <div className="min-w-0">
        <label htmlFor={id} className="font-medium">
          {label}
        </label>
        {body !== undefined && (
          <p id={`${id}-body`} className="text-[13.5px] text-quiet">
            {body}
          </p>
        )}
        {note !== undefined && (
          <p id={`${id}-note`} className="mt-0.5 text-[12.5px] text-quiet">
            {note}
          </p>
        )}
        {status !== undefined && (
          <p role="status" className="mt-0.5 font-medium text-[12.5px]">
            {status}
          </p>
        )}
      </div>
      <Switch.Root
        id={id}
        checked={isOn}
        onCheckedChange={onChange}
        {...(body !== undefined && { 'aria-describedby': `${id}-body` })}
        {...(note !== undefined && { 'aria-details': `${id}-note` })}
        className="relative h-6.5 w-11 shrink-0 rounded-full border border-edge bg-sunk transition-colors duration-150 data-[state=checked]:border-accent data-[state=checked]:bg-accent"
      >
        <Switch.Thumb className="block size-4.5 translate-x-0.75 rounded-full bg-edge transition-transform duration-150 data-[state=checked]:translate-x-5.25 data-[state=checked]:bg-on-accent rtl:-translate-x-0.75 rtl:data-[state=checked]:-translate-x-5.25" />
      </Switch.Root>
    </div>
  )
}

import { X } from 'lucide-react'
import { useId, useState } from 'react'
import { Button } from '#/renderer/components/Button'
import { INPUT_CLASS } from '#/renderer/components/Field'
import { IconButton } from '#/renderer/components/IconButton'
import { desktop, useAbilities, usePreferences, useUpdates } from '#/renderer/features/desktop'
import { logFailure, logIfFails } from '#/renderer/lib/core/logger'
import { texts } from '#/renderer/lib/texts'
import type { UpdateState } from '#/shared/bridge'
import { CrashDumpsSetting } from './CrashDumpsSetting'
import { RestartLine } from './RestartLine'
import { SettingSwitch, SettingsSection } from './SettingsSection'

const words = texts.settings.computer

/** Settings of the desktop app and diagnostics; hidden in a browser. */
export function ComputerSection() {
  const [preferences, applyPreferencesPatch] = usePreferences()
  const [isCopied, setIsCopied] = useState(false)
  const abilities = useAbilities()
  if (abilities?.files !== true) return null

  const handleCopy = () => {
    desktop.help.copyDiagnostics().then(
      () => setIsCopied(true),
      (cause: unknown) => logFailure('copy diagnostics', cause),
    )
  }
  return (
    <SettingsSection title={words.title}>
      <div className="grid gap-3.5">
        {abilities.startAtLogin && (
          <SettingSwitch
            label={words.startAtLogin}
            body={words.startAtLoginBody}
            isOn={preferences.startAtLogin}
            onChange={(startAtLogin) => applyPreferencesPatch({ startAtLogin })}
          />
        )}
        {abilities.tray && (
          <SettingSwitch
            label={words.tray}
            body={words.trayBody}
            isOn={preferences.keepRunningInTray}
            onChange={(keepRunningInTray) => applyPreferencesPatch({ keepRunningInTray })}
          />
        )}
        {abilities.spellCheck !== null && (
          <SpellCheckSetting
            available={abilities.spellCheck.available}
            suggested={abilities.spellCheck.suggested}
            chosen={preferences.spellCheckLanguages}
            onChange={(spellCheckLanguages) => applyPreferencesPatch({ spellCheckLanguages })}
          />
        )}
        {abilities.acceleration !== null && <AccelerationSetting isInUse={abilities.acceleration} />}
        {!abilities.links && <p className="text-[13.5px] text-quiet">{words.linksOff}</p>}
        {!abilities.sandbox && <p className="text-[13.5px] text-quiet">{words.sandboxOff}</p>}
        <UpdateLine />
        <div className="grid gap-3.5 border-line border-t pt-4">
          <CrashDumpsSetting isKeeping={abilities.crashDumps} />
          <div className="flex flex-wrap gap-2">
            <Button onClick={handleCopy}>{isCopied ? words.copied : words.copyDiagnostics}</Button>
            <Button onClick={() => logIfFails('open log', desktop.help.openLog())}>{words.openLog}</Button>
            <Button onClick={() => logIfFails('show data folder', desktop.help.showDataFolder())}>
              {texts.desktop.showDataFolder}
            </Button>
          </div>
        </div>
      </div>
    </SettingsSection>
  )
}

/** The switch of hardware acceleration, with a restart as long as this run does not follow it. */
function AccelerationSetting({ isInUse }: { isInUse: boolean }) {
  const [{ hardwareAcceleration }, applyPreferencesPatch] = usePreferences()
  const isOn = hardwareAcceleration === 'on'
  return (
    <div className="grid gap-2">
      <SettingSwitch
        label={words.acceleration}
        body={words.accelerationBody}
        note={hardwareAcceleration === 'crashed' ? words.accelerationCrashed : undefined}
        isOn={isOn}
        onChange={(on) => applyPreferencesPatch({ hardwareAcceleration: on ? 'on' : 'off' })}
      />
      {isOn !== isInUse && <RestartLine>{words.accelerationLater}</RestartLine>}
    </div>
  )
}

const languageNames = new Intl.DisplayNames('en', { type: 'language' })

interface SpellCheckSettingProps {
  /** Chromium's language codes. */
  available: readonly string[]
  /** The language to start with. */
  suggested: string
  /** None while spelling is not checked. */
  chosen: readonly string[]
  onChange: (chosen: string[]) => void
}

/** The spell checker, with its languages while it is on. */
export function SpellCheckSetting({ available, suggested, chosen, onChange }: SpellCheckSettingProps) {
  const isOn = chosen.length > 0
  return (
    <div>
      <SettingSwitch
        label={words.spellCheck.title}
        body={words.spellCheck.body}
        isOn={isOn}
        onChange={() => onChange(isOn ? [] : [suggested])}
      />
      {isOn && <Languages available={available} chosen={chosen} onChange={onChange} />}
    </div>
  )
}

/** The chosen languages, and a list of others to add. */
function Languages({ available, chosen, onChange }: Omit<SpellCheckSettingProps, 'suggested'>) {
  const id = useId()
  const others = available
    .filter((code) => !chosen.includes(code))
    .map((code) => ({ code, name: languageNames.of(code) ?? code }))
    .sort((a, b) => a.name.localeCompare(b.name, 'en'))
  return (
    <>
      <ul aria-label={words.spellCheck.languages} className="my-2 flex flex-wrap gap-2">
        {chosen.map((code) => {
          const name = languageNames.of(code) ?? code
          return (
            <li key={code} className="flex items-center gap-1 rounded-md border border-line ps-3">
              {name}
              <IconButton
                label={words.spellCheck.remove(name)}
                onClick={() => onChange(chosen.filter((other) => other !== code))}
              >
                <X />
              </IconButton>
            </li>
          )
        })}
      </ul>
      <label htmlFor={id} className="sr-only">
        {words.spellCheck.add}
      </label>
      <select
        id={id}
        value=""
        onChange={({ target }) => onChange([...chosen, target.value])}
        className={INPUT_CLASS}
      >
        <option value="" disabled>
          {words.spellCheck.add}
        </option>
        {others.map(({ code, name }) => (
          <option key={code} value={code}>
            {name}
          </option>
        ))}
      </select>
    </>
  )
}

function updateText(updates: UpdateState): string {
  switch (updates.state) {
    case 'available':
      return texts.settings.updates.available(updates.version)
    case 'downloading':
      return texts.settings.updates.downloading(updates.percent)
    case 'ready':
      return texts.settings.updates.ready(updates.version)
    default:
      return texts.settings.updates[updates.state]
  }
}

function updateAction({ state }: UpdateState): { name: string; act: () => Promise<unknown> } | null {
  switch (state) {
    case 'idle':
    case 'failed':
      return { name: texts.settings.updates.check, act: desktop.updates.check }
    case 'available':
      return { name: texts.settings.updates.download, act: desktop.updates.download }
    case 'ready':
      return { name: texts.settings.updates.install, act: desktop.updates.install }
    default:
      return null
  }
}

/** The state of the auto-update, with the next step. */
export function UpdateLine() {
  const updates = useUpdates()
  const action = updateAction(updates)
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-5 gap-y-2">
      <p role="status" className="text-[13.5px] text-quiet">
        {updateText(updates)}
      </p>
      {action !== null && <Button onClick={() => logIfFails('update', action.act())}>{action.name}</Button>}
    </div>
  )
}

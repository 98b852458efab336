import { useState } from 'react'
import { Button } from '#/renderer/components/Button'
import { desktop, useAbilities, usePreferences } from '#/renderer/features/desktop'
import { logFailure, logIfFails } from '#/renderer/lib/logger'
import { texts } from '#/renderer/lib/texts'
import { SettingSwitch } from './SettingSwitch'
import { SettingsSection } from './SettingsSection'
import { SpellCheckSetting } from './SpellCheckSetting'
import { UpdateLine } from './UpdateLine'

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
            chosen={preferences.spellCheckLanguages ?? abilities.spellCheck.current}
            onChange={(spellCheckLanguages) => applyPreferencesPatch({ spellCheckLanguages })}
          />
        )}
        <UpdateLine />
        <div className="flex flex-wrap gap-2 border-line border-t pt-4">
          <Button onClick={handleCopy}>{isCopied ? words.copied : words.copyDiagnostics}</Button>
          <Button onClick={() => logIfFails('open log', desktop.help.openLog())}>{words.openLog}</Button>
          <Button onClick={() => logIfFails('show data folder', desktop.help.showDataFolder())}>
            {texts.desktop.showDataFolder}
          </Button>
        </div>
      </div>
    </SettingsSection>
  )
}

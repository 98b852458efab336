import { usePreferences } from '#/renderer/features/desktop'
import { texts } from '#/renderer/lib/texts'
import { RestartLine } from './RestartLine'
import { SettingSwitch } from './SettingsSection'

const words = texts.settings.computer

/**
 * Whether crashes leave files on this computer, with a restart as long as this run does not follow the choice.
 * @param isKeeping whether this run does
 */
export function CrashDumpsSetting({ isKeeping }: { isKeeping: boolean }) {
  const [{ keepCrashDumps }, applyPreferencesPatch] = usePreferences()
  return (
    <div className="grid gap-2">
      <SettingSwitch
        label={words.crashDumps}
        body={words.crashDumpsBody}
        isOn={keepCrashDumps}
        onChange={(isOn) => applyPreferencesPatch({ keepCrashDumps: isOn })}
      />
      {keepCrashDumps !== isKeeping && (
        <RestartLine>{keepCrashDumps ? words.crashDumpsLater : words.crashDumpsDeleted}</RestartLine>
      )}
    </div>
  )
}

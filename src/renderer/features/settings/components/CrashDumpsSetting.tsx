import { Button } from '#/renderer/components/Button'
import { desktop, usePreferences } from '#/renderer/features/desktop'
import { logIfFails } from '#/renderer/lib/logger'
import { texts } from '#/renderer/lib/texts'
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
        <div className="flex flex-wrap items-center justify-between gap-x-5 gap-y-2">
          <p className="text-[13.5px] text-quiet">
            {keepCrashDumps ? words.crashDumpsLater : words.crashDumpsDeleted}
          </p>
          <Button onClick={() => logIfFails('restart', desktop.system.restart())}>
            {texts.session.restart}
          </Button>
        </div>
      )}
    </div>
  )
}

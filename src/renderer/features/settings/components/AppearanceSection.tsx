import { RadioGroup } from 'radix-ui'
import { usePreferences } from '#/renderer/features/desktop'
import { texts } from '#/renderer/lib/texts'
import type { ThemePreference } from '#/shared/preferences'
import { SettingsSection } from './SettingsSection'

const THEMES: ThemePreference[] = ['system', 'light', 'dark']

export function AppearanceSection() {
  const [preferences, applyPreferencesPatch] = usePreferences()
  return (
    <SettingsSection title={texts.settings.appearance}>
      <RadioGroup.Root
        aria-label={texts.settings.appearance}
        value={preferences.theme}
        onValueChange={(value) => {
          const theme = THEMES.find((each) => each === value)
          if (theme !== undefined) applyPreferencesPatch({ theme })
        }}
        className="grid grid-cols-3 gap-1 rounded-md bg-sunk p-1"
      >
        {THEMES.map((theme) => (
          <RadioGroup.Item
            key={theme}
            value={theme}
            className="h-9 rounded-sm font-medium text-[14px] text-quiet border border-transparent hover:text-ink data-[state=checked]:border-edge data-[state=checked]:bg-raised data-[state=checked]:text-ink data-[state=checked]:shadow-card"
          >
            {texts.settings.theme[theme]}
          </RadioGroup.Item>
        ))}
      </RadioGroup.Root>
    </SettingsSection>
  )
}

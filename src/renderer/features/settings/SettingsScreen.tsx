import { RadioGroup } from 'radix-ui'
import { BackBar } from '#/renderer/components/BackBar'
import { usePreferences } from '#/renderer/features/desktop'
import { texts } from '#/renderer/lib/texts'
import type { ThemePreference } from '#/shared/bridge'

const THEMES: ThemePreference[] = ['system', 'light', 'dark']

/** /settings: its frame, and how the app looks on this computer. */
export function SettingsScreen() {
  const [preferences, changePreferences] = usePreferences()
  return (
    <main id="content" className="mx-auto max-w-150 px-4 pt-7 pb-16">
      <BackBar title={texts.settings.title} />
      <section
        aria-labelledby="appearance"
        className="rounded-lg border border-line bg-raised p-5 shadow-card"
      >
        <h2 id="appearance" className="mb-3 font-semibold text-[15px]">
          {texts.settings.appearance}
        </h2>
        <RadioGroup.Root
          aria-labelledby="appearance"
          value={preferences.theme}
          onValueChange={(value) => {
            const theme = THEMES.find((each) => each === value)
            if (theme !== undefined) changePreferences({ theme })
          }}
          className="grid grid-cols-3 gap-1 rounded-md bg-sunk p-1"
        >
          {THEMES.map((theme) => (
            <RadioGroup.Item
              key={theme}
              value={theme}
              className="h-9 rounded-sm font-medium text-[14px] text-quiet border border-transparent data-[state=checked]:border-edge data-[state=checked]:bg-raised data-[state=checked]:text-ink data-[state=checked]:shadow-card"
            >
              {texts.settings.theme[theme]}
            </RadioGroup.Item>
          ))}
        </RadioGroup.Root>
      </section>
    </main>
  )
}

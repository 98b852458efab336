import { useId } from 'react'
import { usePreferences } from '#/renderer/features/desktop'
import { useIsMotionReduced } from '#/renderer/lib/layout/reduced-motion'
import { TEXT_SIZES, type TextSize, textSize } from '#/renderer/lib/layout/text-size'
import { texts } from '#/renderer/lib/texts'
import {
  type LightTablePreference,
  type ThemePreference,
  type VideoPreference,
  videoPreference,
} from '#/shared/preferences'
import { Choice } from './Choice'
import { SettingsSection } from './SettingsSection'

const THEMES: ThemePreference[] = ['system', 'light', 'dark']
const SIZE_NAMES = Object.fromEntries(
  TEXT_SIZES.map((size) => [size, texts.settings.percent(size)]),
) as Record<TextSize, string>
const GROUNDS: LightTablePreference[] = ['black', 'grey']
const VIDEOS: VideoPreference[] = ['always', 'saveData', 'click']

export function AppearanceSection() {
  const [preferences, applyPreferencesPatch] = usePreferences()
  const { theme, lightTable } = preferences
  const size = textSize.useChoice()
  const sizeLabel = useId()
  const groundLabel = useId()
  const playVideos = videoPreference(preferences, useIsMotionReduced())
  const videosLabel = useId()
  return (
    <SettingsSection title={texts.settings.appearance}>
      <Choice
        aria-label={texts.settings.appearance}
        value={theme}
        values={THEMES}
        names={texts.settings.theme}
        onChoose={(chosen) => applyPreferencesPatch({ theme: chosen })}
      />
      <p id={sizeLabel} className="mt-4 mb-1.5 text-[14px]">
        {texts.settings.textSize}
      </p>
      <Choice
        aria-labelledby={sizeLabel}
        value={size}
        values={TEXT_SIZES}
        names={SIZE_NAMES}
        onChoose={textSize.choose}
      />
      <p id={groundLabel} className="mt-4 mb-1.5 text-[14px]">
        {texts.settings.lightTable}
      </p>
      <Choice
        aria-labelledby={groundLabel}
        value={lightTable}
        values={GROUNDS}
        names={texts.settings.lightTableGround}
        onChoose={(chosen) => applyPreferencesPatch({ lightTable: chosen })}
      />
      <p id={videosLabel} className="mt-4 mb-1.5 text-[14px]">
        {texts.settings.playVideos}
      </p>
      <Choice
        aria-labelledby={videosLabel}
        value={playVideos}
        values={VIDEOS}
        names={texts.settings.playVideosWhen}
        onChoose={(chosen) => applyPreferencesPatch({ playVideos: chosen })}
      />
    </SettingsSection>
  )
}

import { texts } from '#/renderer/lib/texts'
import { useAbilities } from '../bridge-hooks'
import { usePreferences } from '../preferences-store'
import { Banner, BannerButton } from './Banner'

/** Says once that this run has no hardware acceleration, because the GPU process crashed in the run before. */
export function GraphicsBanner() {
  const [, applyPreferencesPatch] = usePreferences()
  if (useAbilities()?.acceleration !== false) return null
  return (
    <Banner text={texts.desktop.graphicsCrashed}>
      <BannerButton onClick={() => applyPreferencesPatch({ hardwareAcceleration: 'off' })}>
        {texts.session.understood}
      </BannerButton>
    </Banner>
  )
}

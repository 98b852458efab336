import { createDeviceChoice } from '#/renderer/lib/local/device-choice'

/** The text sizes that can be chosen, in percent (SET-06). */
export const TEXT_SIZES = ['90', '100', '110', '120', '130'] as const

export type TextSize = (typeof TEXT_SIZES)[number]

/** It depends on the screen and on who sits before it. */
export const textSize = createDeviceChoice<TextSize>('vignette.text-size', TEXT_SIZES, '100')

/** Scales all texts of the app: `--text-scale` in app/styles.css. Call once, before the first render. */
export function startTextSize(): void {
  textSize.follow((size) =>
    document.documentElement.style.setProperty('--text-scale', String(Number(size) / 100)),
  )
}

import { create } from 'zustand'
import { readItem, storeItem } from './local-storage'

/** The text sizes that can be chosen, in percent (SET-06). */
export const TEXT_SIZES = ['90', '100', '110', '120', '130'] as const

export type TextSize = (typeof TEXT_SIZES)[number]

/** Kept on the device, for all its members: it depends on the screen and on who sits before it. */
const STORAGE_KEY = 'vignette.text-size'

function storedSize(): TextSize {
  const stored = readItem(STORAGE_KEY)
  return TEXT_SIZES.find((size) => size === stored) ?? '100'
}

export const useTextSize = create<{ size: TextSize }>(() => ({ size: storedSize() }))

/** Scales all texts of the app: `--text-scale` in app/styles.css. */
function apply({ size }: { size: TextSize }): void {
  document.documentElement.style.setProperty('--text-scale', String(Number(size) / 100))
}

export function setTextSize(size: TextSize): void {
  storeItem(STORAGE_KEY, size === '100' ? null : size)
  useTextSize.setState({ size })
}

/** Applies the stored size, and follows its changes in this and in other windows. Call once, before the first render. */
export function startTextSize(): void {
  apply(useTextSize.getState())
  useTextSize.subscribe(apply)
  addEventListener('storage', ({ key }: StorageEvent) => {
    if (key === STORAGE_KEY || key === null) useTextSize.setState({ size: storedSize() })
  })
}

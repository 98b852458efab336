import type { Page } from '@playwright/test'
import { nextFrames } from './frames'

/** The most that a screen may move by itself, as Chromium counts it (Cumulative Layout Shift). */
export const MOST_SHIFT = 0.02

interface Shift {
  value: number
  /** It follows input of the member. */
  isOfInput: boolean
  /** What moved, with its place before and after. */
  moved: string[]
}

/** Collects the layout shifts of each page that is opened from now on. */
export async function watchShifts(page: Page): Promise<() => Promise<Shift[]>> {
  await page.addInitScript(() => {
    interface LayoutShift extends PerformanceEntry {
      value: number
      hadRecentInput: boolean
      sources: { node: Node | null; previousRect: DOMRectReadOnly; currentRect: DOMRectReadOnly }[]
    }
    const shifts: Shift[] = []
    Object.assign(window, { shifts })
    new PerformanceObserver((list) => {
      for (const { value, hadRecentInput, sources } of list.getEntries() as LayoutShift[]) {
        const moved = sources.map(({ node, previousRect, currentRect }) => {
          const name = node instanceof Element ? `${node.nodeName}.${node.className}` : node?.nodeName
          const place = ({ x, y, width, height }: DOMRectReadOnly) =>
            [x, y, width, height].map(Math.round).join()
          return `${name} ${place(previousRect)} -> ${place(currentRect)}`
        })
        shifts.push({ value, isOfInput: hadRecentInput, moved })
      }
    }).observe({ type: 'layout-shift', buffered: true })
  })
  return async () => {
    await nextFrames(page)
    return page.evaluate(() => (window as unknown as { shifts: Shift[] }).shifts)
  }
}

export function sumOf(shifts: readonly Shift[]): number {
  return shifts.reduce((sum, { value }) => sum + value, 0)
}

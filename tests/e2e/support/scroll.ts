import type { Page } from '@playwright/test'

/** The scroll offset in pixels once it no longer changes: scrolling with the wheel lasts several frames. */
export function restingPlace(page: Page): Promise<number> {
  return page.evaluate(async () => {
    let last = window.scrollY
    for (let still = 0; still < 10; still += 1) {
      await new Promise(requestAnimationFrame)
      if (window.scrollY !== last) still = 0
      last = window.scrollY
    }
    return last
  })
}

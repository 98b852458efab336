import type { Page } from '@playwright/test'

/** Resolves once the page has nothing left to do: an answer that has arrived is on screen by then, if it changes it. */
export function nextFrames(page: Page): Promise<void> {
  return page.evaluate(async () => {
    for (let frame = 0; frame < 4; frame += 1) await new Promise(requestAnimationFrame)
    await new Promise((resolve) => requestIdleCallback(resolve))
  })
}

import type { Page } from '@playwright/test'

/** Resolves some frames later: an answer that has arrived is on screen by then, if it changes the screen at all. */
export function nextFrames(page: Page): Promise<void> {
  return page.evaluate(async () => {
    for (let frame = 0; frame < 4; frame += 1) await new Promise(requestAnimationFrame)
  })
}

import type { Locator } from '@playwright/test'

/** Where an element is in the window, in pixels, once it is visible. Throws if that does not happen. */
export async function boxOf(element: Locator) {
  for (;;) {
    await element.waitFor()
    const box = await element.boundingBox()
    if (box !== null) return box
    // A page that still loads has replaced the element, so wait for the new one.
  }
}

/** The same in whole pixels. */
export async function wholeBoxOf(element: Locator) {
  const { x, y, width, height } = await boxOf(element)
  return { x: Math.round(x), y: Math.round(y), width: Math.round(width), height: Math.round(height) }
}

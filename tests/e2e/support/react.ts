import type { Page } from '@playwright/test'

/** In milliseconds: long enough to see a painted frame and to type a few letters. */
const DELAY_MS = 600

/**
 * Makes each step of React's scheduler late, as on a busy machine: what it does after painting, such as listening to
 * stores, comes well after what it painted.
 * @returns ends that.
 */
export async function delayScheduler(page: Page): Promise<() => Promise<void>> {
  const original = await page.evaluateHandle((delay) => {
    const { postMessage } = MessagePort.prototype
    MessagePort.prototype.postMessage = function (...args: unknown[]) {
      setTimeout(() => Reflect.apply(postMessage, this, args), delay)
    }
    return { postMessage }
  }, DELAY_MS)
  return () =>
    original.evaluate(({ postMessage }) => {
      MessagePort.prototype.postMessage = postMessage
    })
}

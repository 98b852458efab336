import type { Page } from '@playwright/test'

/** Delay in milliseconds, long enough to see a painted frame and to type a few letters. */
const DELAY_MS = 600

/**
 * Delays each step of React's scheduler, as on a busy machine: effects after painting, such as subscriptions to stores,
 * run well after it.
 * @returns a function that stops it
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

import type { Page } from '@playwright/test'

/** The most videos that held a decoder at once so far, in the page and beside it. */
export async function countDecoders(page: Page): Promise<() => Promise<number>> {
  await page.addInitScript(() => {
    const made: WeakRef<HTMLVideoElement>[] = []
    const counts = { most: 0 }
    Object.assign(window, { counts })
    const createElement: (name: string, options?: ElementCreationOptions) => Element =
      Document.prototype.createElement
    Document.prototype.createElement = function create(
      this: Document,
      name: string,
      options?: ElementCreationOptions,
    ) {
      const element = createElement.call(this, name, options)
      if (element instanceof HTMLVideoElement) {
        made.push(new WeakRef(element))
        for (const type of ['loadstart', 'playing'])
          element.addEventListener(type, () => {
            counts.most = Math.max(
              counts.most,
              made.filter((each) => each.deref()?.hasAttribute('src')).length,
            )
          })
      }
      return element
    } as typeof Document.prototype.createElement
  })
  return () => page.evaluate(() => (window as unknown as { counts: { most: number } }).counts.most)
}

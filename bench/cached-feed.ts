import { type BrowserContext, expect } from '@playwright/test'
import { onDisk } from '#tests/e2e/support/disk-cache'
import { createMember } from '#tests/e2e/support/member'
import { insertPhotoPost } from '#tests/e2e/support/photo-posts'
import { openContext, withBrowser } from './lib/browser'
import { summarize } from './lib/measure'
import { type Report, timesRow } from './lib/report'

const ROUNDS = 15
const POSTS = 12
const PHOTO = { size: [1_080, 1_350], altText: 'Photo of the benchmark' } as const
/** Maximum time until the first post of the cached feed is on screen, in ms (docs/measurements.md). */
const CACHED_FEED_BUDGET = 150

/**
 * The time from navigation to the first painted post and to its painted photo, for a member whose feed is cached on disk. Compared with a
 * page with one paragraph from the same server.
 */
export function measure(): Promise<Report> {
  return withBrowser('empty', async (browser, server) => {
    const member = await createMember(server.info)
    for (let index = 0; index < POSTS; index += 1) await insertPhotoPost(member, [PHOTO], `Post ${index}`)
    const context = await openContext(browser, server.url, member)
    // Playwright turns off the HTTP cache of a context with routes.
    const routed = await openContext(browser, server.url, null)
    await routed.route(`${server.url}/nothing`, (route) =>
      route.fulfill({ contentType: 'text/html', body: '<!doctype html><p>Nothing here' }),
    )
    await fillCache(context, server.url)
    const posts: number[] = []
    const photos: number[] = []
    const empty: number[] = []
    for (let round = -2; round < ROUNDS; round += 1) {
      const [post = 0, photo = 0] = await timesToPaint(context, server.url, [
        'article',
        `article img[alt="${PHOTO.altText}"]`,
      ])
      const [paragraph = 0] = await timesToPaint(routed, `${server.url}/nothing`, ['p'])
      if (round < 0) continue
      posts.push(post)
      photos.push(photo)
      empty.push(paragraph)
    }
    return {
      name: 'cached feed',
      rows: [
        timesRow('first post on screen', summarize(posts), CACHED_FEED_BUDGET),
        timesRow('  its photo', summarize(photos)),
        timesRow('an empty page', summarize(empty)),
      ],
    }
  })
}

/** Opens the feed until it is on disk. */
async function fillCache(context: BrowserContext, url: string): Promise<void> {
  const page = await context.newPage()
  await page.goto(url)
  await page.locator('article').first().waitFor()
  const isStored = async () => {
    const hashes = await onDisk(page)
    return ['["own profile"', '["feed"', '["post"', '["links"'].every((key) =>
      hashes.some((hash) => hash.startsWith(key)),
    )
  }
  await expect.poll(isStored, { timeout: 60_000 }).toBe(true)
  await page.close()
}

/** Milliseconds from the start of the navigation until the first element of each selector is painted. */
async function timesToPaint(
  context: BrowserContext,
  url: string,
  selectors: readonly string[],
): Promise<number[]> {
  const page = await context.newPage()
  await page.addInitScript(watchElements, selectors)
  await page.goto(url, { waitUntil: 'commit' })
  const times = await page.evaluate(() => (window as unknown as { painted: Promise<number[]> }).painted)
  await page.close()
  return times
}

/** Runs in the page. A picture is painted when it is decoded. */
function watchElements(selectors: readonly string[]): void {
  const frame = () => new Promise((done) => requestAnimationFrame(done))
  const isLoaded = (element: Element): boolean =>
    !(element instanceof HTMLImageElement) || (element.complete && /^(https?|blob):/.test(element.currentSrc))
  const paintedAt = async (selector: string): Promise<number> => {
    for (;;) {
      const element = document.querySelector(selector)
      if (element !== null && isLoaded(element)) {
        if (element instanceof HTMLImageElement) await element.decode()
        // The next frame starts after the frame with the element has been painted.
        await frame()
        return performance.now()
      }
      await frame()
    }
  }
  Object.assign(window, { painted: Promise.all(selectors.map(paintedAt)) })
}

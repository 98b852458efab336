import type { Browser } from '@playwright/test'
import { createMember, type Member } from '#tests/e2e/support/member'
import { openContext, withBrowser } from './lib/browser'
import { startChild } from './lib/child'
import { fillWithPhotoPosts } from './lib/photo-posts'
import type { Report, Row } from './lib/report'
import type { PlainMethods } from './plain/server'
import { largestRenderer, scrollAtConstantSpeed, slowShare } from './scroll/page'

const SIZES = [100, 1_000, 10_000]
const SCROLL_PIXELS = 20_000
/** A feed that shows no photo within this time counts as one that does not open. */
const OPEN_MS = 60_000

/** The feeds that are compared. Each of the first three adds one technique to a page without a framework. */
const VARIANTS = {
  'all posts, pictures in the rows': '/?pictures=inline&pages=all',
  'pictures as files': '/?pictures=stored&pages=all',
  'and pages': '/?pictures=stored&pages=eight',
} as const

const VIGNETTE = 'Vignette'

interface Measured {
  firstPhotoMs: number
  megabytes: number
  /** Resident memory of the page's process after scrolling; null if this system does not say. */
  memoryMB: number | null
  elements: number
  slowFrames: number
}

/**
 * A feed of photos at 100, 1,000 and 10,000 posts: a plain page that selects all posts with their pictures as data URLs and keeps
 * them in the DOM, the same page with one technique more at a time, and Vignette. The plain pages get their rows from memory, without
 * a database, and use no framework, so their values are lower bounds.
 */
export function measure(): Promise<Report> {
  return withBrowser('empty', async (browser, server) => {
    const member = await createMember(server.info)
    const plain = await startChild<PlainMethods>('plain/server.ts')
    const rows: Row[] = []
    try {
      let stored = 0
      for (const posts of SIZES) {
        const { url } = await plain.call('start', { posts })
        for (const [name, address] of Object.entries(VARIANTS)) {
          rows.push(...rowsOf(posts, name, await measureFeed(browser, `${url}${address}`)))
        }
        await fillWithPhotoPosts(server, member.id, { from: stored, to: posts })
        stored = posts
        rows.push(...rowsOf(posts, VIGNETTE, await measureFeed(browser, server.url, member)))
      }
    } finally {
      await plain.close()
    }
    return { name: 'plain', rows }
  })
}

function rowsOf(posts: number, name: string, measured: Measured | null): Row[] {
  const row = (what: string, value: number | null | undefined, unit: Row['unit']): Row => ({
    what: `${posts.toLocaleString('en')} posts: ${what}: ${name}`,
    p50: value ?? Number.POSITIVE_INFINITY,
    unit,
  })
  return [
    row('first photo on screen', measured?.firstPhotoMs, 'ms'),
    row('transferred until then', measured?.megabytes, 'MB'),
    row('memory after scrolling', measured?.memoryMB, 'MB'),
    row('elements in the page', measured?.elements, ''),
    row('frames over 33 ms', measured?.slowFrames, '%'),
  ]
}

/** Opens a feed in a new browser context, signed in if there is a member, waits for its first photo, and scrolls. Null if no photo appears in time. */
async function measureFeed(
  browser: Browser,
  url: string,
  member: Member | null = null,
): Promise<Measured | null> {
  const context = await openContext(browser, url, member)
  try {
    const page = await context.newPage()
    const devtools = await context.newCDPSession(page)
    let bytes = 0
    await devtools.send('Network.enable')
    devtools.on('Network.dataReceived', ({ encodedDataLength, dataLength }) => {
      bytes += encodedDataLength > 0 ? encodedDataLength : dataLength
    })
    const startedAt = performance.now()
    await page.goto(url, { waitUntil: 'commit' })
    const photo = page.locator('article img[alt]:not([alt=""])').first()
    const isShown = await photo
      .evaluate((image) => (image as HTMLImageElement).decode(), undefined, { timeout: OPEN_MS })
      .then(
        () => true,
        () => false,
      )
    if (!isShown) return null
    const firstPhotoMs = performance.now() - startedAt
    const megabytes = bytes / 1e6
    await page.waitForLoadState('networkidle')
    const frames = await scrollAtConstantSpeed(page, devtools, SCROLL_PIXELS)
    await devtools.send('HeapProfiler.collectGarbage')
    const elements = await page.evaluate(() => document.querySelectorAll('*').length)
    const memoryMB = await largestRenderer(browser)
    return { firstPhotoMs, megabytes, memoryMB, elements, slowFrames: slowShare(frames) }
  } finally {
    await context.close()
  }
}

import { readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import type { Browser } from '@playwright/test'
import { demoPictures, readDemoManifest } from '#/backend/demo/pictures'
import { createMember, type Member } from '#tests/e2e/support/member'
import type { TestServer } from '#tests/e2e/support/server'
import { openContext, withBrowser } from './lib/browser'
import { ASSETS } from './lib/photo-posts'
import type { Report, Row } from './lib/report'
import { largestRenderer, measureMemory, scrollAtConstantSpeed, slowShare } from './scroll/page'

const POSTS = 100
/** After these posts the memory is measured. */
const MARKS = [20, 50, POSTS]
/** About 60 posts. */
const PIXELS = 24_000
/** Pixels per second: less than a window, so that videos start. */
const SLOWLY = 800
const VIDEO = 'daybreak'
/** Decision 0110: the part of slow frames and the MB of growth beyond those of photos, and elements. */
const BUDGET = { slowFrames: 10, growthMB: 150, elements: 1_400 } as const

interface Scrolled {
  slowFrames: number
  /** Of a list that moves so slowly that videos play. */
  slowlySlowFrames: number
  elements: number
  heapMB: number
  /** At each of MARKS; null if the system does not say it. */
  memoryMB: (number | null)[]
  /** The most videos with a source at one moment. */
  loaded: number
}

/** Scrolls through 100 videos and, as the baseline, through 100 photos. */
export function measure(): Promise<Report> {
  return withBrowser('empty', async (browser, server) => {
    const member = await createMember(server.info)
    await insertPosts(member, false)
    const photos = await scrollPosts(browser, server, member, false)
    await insertPosts(member, true)
    const videos = await scrollPosts(browser, server, member, true)
    const growth = ({ memoryMB: [first, , last] }: Scrolled) => (last ?? Number.NaN) - (first ?? Number.NaN)
    const rows: Row[] = [
      { what: '100 photos: frames over 33 ms', p50: photos.slowFrames, unit: '%' },
      {
        what: '100 videos: frames over 33 ms',
        p50: videos.slowFrames,
        unit: '%',
        budget: photos.slowFrames * (1 + BUDGET.slowFrames / 100),
      },
      { what: '100 photos, slowly: frames over 33 ms', p50: photos.slowlySlowFrames, unit: '%' },
      { what: '100 videos, slowly: frames over 33 ms', p50: videos.slowlySlowFrames, unit: '%' },
      { what: 'videos with a source at one moment', p50: videos.loaded, unit: '', budget: 2 },
      { what: 'DOM elements with photos', p50: photos.elements, unit: '' },
      { what: 'DOM elements with videos', p50: videos.elements, unit: '', budget: BUDGET.elements },
      { what: 'JavaScript heap with photos', p50: photos.heapMB, unit: 'MB' },
      { what: 'JavaScript heap with videos', p50: videos.heapMB, unit: 'MB' },
      ...[photos, videos].flatMap(({ memoryMB }, kind) =>
        MARKS.map((mark, index): Row => {
          const what = `the page's memory after ${mark} ${kind === 0 ? 'photos' : 'videos'}`
          return { what, p50: memoryMB[index] ?? Number.NaN, unit: 'MB' }
        }),
      ),
      { what: 'its growth from 20 to 100 photos', p50: growth(photos), unit: 'MB' },
      {
        what: 'its growth from 20 to 100 videos',
        p50: growth(videos),
        unit: 'MB',
        // Covers stay decoded, as photos do.
        budget: growth(photos) + BUDGET.growthMB,
      },
    ]
    return { name: 'scrolling videos', rows }
  })
}

/** Inserts posts with the demo's video, or with its cover as a photo. */
async function insertPosts(author: Member, areVideos: boolean): Promise<void> {
  const demo = demoPictures(await readDemoManifest(ASSETS)).photo(VIDEO)
  const { file, grid: cover, width, height, thumbhash, durationMs: duration_ms } = demo
  const [video, picture] = await Promise.all([file, cover].map((name) => readFile(join(ASSETS, name))))
  const upload = async (content: Buffer | undefined, name: string, contentType: string) => {
    const path = `${author.id}/${crypto.randomUUID()}${extname(name)}`
    const { error } = await author.api.storage.from('media').upload(path, content ?? '', { contentType })
    if (error) throw error
    return path
  }
  for (let count = 0; count < POSTS; count += 1) {
    const path = await upload(picture, cover, 'image/webp')
    const paths = { full_path: path, feed_path: path, grid_path: path }
    const medium = { ...paths, width, height, thumbhash }
    const media_path = areVideos ? await upload(video, file, 'video/mp4') : null
    const media =
      media_path === null ? medium : { ...medium, kind: 'video', media_path, duration_ms, has_sound: true }
    const post_id = crypto.randomUUID()
    await author.api.rpc('create_post', { post_id, content: 'Daybreak', media: [media] }).throwOnError()
  }
}

async function scrollPosts(
  browser: Browser,
  server: TestServer,
  member: Member,
  hasVideos: boolean,
): Promise<Scrolled> {
  const context = await openContext(browser, server.url, member)
  try {
    const page = await context.newPage()
    const devtools = await context.newCDPSession(page)
    await page.goto(server.url)
    await page.locator('article').first().waitFor()
    await page.waitForLoadState('networkidle')
    const frames = await scrollAtConstantSpeed(page, devtools, PIXELS)
    await page.evaluate(() => window.scrollTo(0, 0))
    const slowly = await scrollAtConstantSpeed(page, devtools, PIXELS / 2, SLOWLY)
    await page.evaluate(() => window.scrollTo(0, 0))
    const memoryMB: Scrolled['memoryMB'] = []
    let loaded = 0
    for (let at = 1; at <= POSTS; at += 1) {
      const post = page.locator(`[role=feed] [aria-posinset="${at}"]`)
      await post.evaluate((element) => element.scrollIntoView({ block: 'center', behavior: 'instant' }))
      // Until it plays.
      if (hasVideos) await post.locator('video').evaluate((video: HTMLVideoElement) => video.play())
      loaded = Math.max(loaded, await page.locator('video[src]').count())
      if (!MARKS.includes(at)) continue
      await devtools.send('HeapProfiler.collectGarbage')
      memoryMB.push(await largestRenderer(browser))
    }
    return {
      slowFrames: slowShare(frames),
      slowlySlowFrames: slowShare(slowly),
      memoryMB,
      loaded,
      ...(await measureMemory(page, devtools)),
    }
  } finally {
    await context.close()
  }
}

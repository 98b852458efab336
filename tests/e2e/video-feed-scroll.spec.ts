import type { CDPSession, Page } from '@playwright/test'
import { storedVideo } from './fixtures/videos'
import { countDecoders } from './support/decoders'
import { nextFrames } from './support/frames'
import { createMember } from './support/member'
import { insertPhotoPost } from './support/photo-posts'
import { expect, test } from './support/test'
import { insertVideoPost } from './support/video-posts'

const POSTS = 100
/** The post after which the page has all that it keeps. */
const WARM = 20

interface Held {
  heapMB: number
  elements: number
  /** Elements of videos, in the page and beside it. */
  videos: number
  /** That have a source. */
  loaded: number
}

/** What a page holds after a garbage collection. */
async function heldBy(page: Page, devtools: CDPSession): Promise<Held> {
  const { result } = await devtools.send('Runtime.evaluate', { expression: 'HTMLVideoElement.prototype' })
  // Collects garbage before it looks.
  const { objects } = await devtools.send('Runtime.queryObjects', {
    prototypeObjectId: result.objectId ?? '',
    objectGroup: 'videos',
  })
  const { result: counted } = await devtools.send('Runtime.callFunctionOn', {
    objectId: objects.objectId ?? '',
    functionDeclaration:
      'function () { return [this.length, this.filter((each) => each.hasAttribute("src")).length] }',
    returnByValue: true,
  })
  await devtools.send('Runtime.releaseObjectGroup', { objectGroup: 'videos' })
  const { usedSize } = await devtools.send('Runtime.getHeapUsage')
  const [videos, loaded]: [number, number] = counted.value
  const elements = await page.evaluate(() => document.querySelectorAll('*').length)
  return { heapMB: usedSize / 1_024 / 1_024, elements, videos, loaded }
}

interface Scrolled {
  /** After the posts up to WARM, up to the middle, and all. */
  held: Held[]
  /** The most elements of videos with a source in the page at one step. */
  most: number
  /** The most videos that held a decoder at once, in the page and beside it. */
  decoders: number
}

/** Scrolls through a feed of one member, from post to post. */
async function scrollThrough(page: Page, url: string, hasVideos: boolean): Promise<Scrolled> {
  const decoders = await countDecoders(page)
  const devtools = await page.context().newCDPSession(page)
  await page.setViewportSize({ width: 1_280, height: 860 })
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  await page.goto(url)
  const held: Held[] = []
  let most = 0
  for (let at = 1; at <= POSTS; at += 1) {
    const post = page.locator(`[role=feed] [aria-posinset="${at}"]`)
    await expect(post).toBeAttached()
    await post.evaluate((element) => element.scrollIntoView({ block: 'center', behavior: 'instant' }))
    if (hasVideos) {
      const video = post.locator('video')
      await expect
        .poll(() => video.evaluate(({ currentTime }: HTMLVideoElement) => currentTime))
        .toBeGreaterThan(0)
    } else await nextFrames(page)
    most = Math.max(most, await page.locator('video[src]').count())
    if (at === WARM || at === POSTS / 2 || at === POSTS) held.push(await heldBy(page, devtools))
  }
  return { held, most, decoders: await decoders() }
}

/** Inserts posts, a few at a time. */
async function fill(insert: () => Promise<string>): Promise<void> {
  for (let inserted = 0; inserted < POSTS; inserted += 10)
    await Promise.all(Array.from({ length: 10 }, insert))
}

test('FEED-14 a feed of 100 videos decodes one at a time, keeps nothing of those that were scrolled away, and has no more than one of 100 photos', {
  tag: '@long',
}, async ({ openAs, ownServer }) => {
  const member = await createMember(ownServer.info)
  const scroll = async (hasVideos: boolean) => {
    // Another device, on which the list begins at its start.
    const page = await openAs(member)
    const scrolled = await scrollThrough(page, ownServer.url, hasVideos)
    await page.close()
    return scrolled
  }
  await fill(() => insertPhotoPost(member, [{ size: [480, 270] }]))
  const photos = await scroll(false)
  const file = await storedVideo('forty-five-seconds.mp4')
  await fill(() => insertVideoPost(member, [{ file }]))
  const videos = await scroll(true)

  expect(videos).toMatchObject({ most: 1, decoders: 1 })
  for (const { loaded, videos: elements } of videos.held) {
    expect(loaded).toBe(1)
    // React keeps some that it showed last.
    expect(elements).toBeLessThanOrEqual(POSTS / 10)
  }
  const growth = ({ held: [first, , last] }: Scrolled, of: 'heapMB' | 'elements') =>
    (last?.[of] ?? Number.NaN) / (first?.[of] ?? Number.NaN)
  for (const of of ['heapMB', 'elements'] as const) {
    const message = `${of}: ${JSON.stringify([photos.held, videos.held])}`
    expect(growth(videos, of), message).toBeLessThan(growth(photos, of) * 1.2)
    expect(videos.held.at(-1)?.[of], message).toBeLessThan((photos.held.at(-1)?.[of] ?? 0) * 1.5)
  }
})

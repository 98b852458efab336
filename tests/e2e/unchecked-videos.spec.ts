import type { Locator, Page } from '@playwright/test'
import { texts } from '#/renderer/lib/texts'
import { explore } from '#/renderer/lib/texts/features/explore'
import { videoPlayer } from '#/renderer/lib/texts/later/video-player'
import { sequence } from '#tests/mp4-files'
import { grownMp4, storedLargeMp4, storedVideo } from './fixtures/videos'
import { withoutChecks } from './support/network'
import { expect, type Member, test } from './support/test'
import { insertVideoPost } from './support/video-posts'

const VIDEOS = /\/storage\/v1\/object\/sign\/media\/.+\.mp4\?token=/

/** The player of a member's video, by its alternative text. */
const player = (page: Page, author: Member, name: string) =>
  page
    .getByRole('article', { name: texts.post.by(author.username) })
    .getByRole('group', { name: RegExp(`^${name}, video`) })
const timeOf = (video: Locator) => video.evaluate(({ currentTime }: HTMLVideoElement) => currentTime)
const expectPlays = (video: Locator) => expect.poll(() => timeOf(video)).toBeGreaterThan(0)

/** What a page has asked for of videos. */
function followParts(page: Page): { type: string; from: number; to: number }[] {
  const parts: { type: string; from: number; to: number }[] = []
  page.on('request', (request) => {
    if (!VIDEOS.test(request.url())) return
    const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(request.headers().range ?? '') ?? []
    parts.push({ type: request.resourceType(), from: Number(from), to: Number(to) + 1 })
  })
  return parts
}

/** Responds to requests for videos with parts of a file, which may depend on how many there were before. */
async function serveParts(
  page: Page,
  fileOf: (count: number) => { file: Buffer; version: string },
): Promise<void> {
  let count = 0
  await page.route(VIDEOS, (route) => {
    const { file, version } = fileOf(count)
    count += 1
    const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(route.request().headers().range ?? '') ?? []
    return route.fulfill({
      status: 206,
      contentType: 'video/mp4',
      headers: { etag: `"${version}"` },
      body: file.subarray(Number(from), Number(to) + 1),
    })
  })
}

test('MEDIA-07 MEDIA-03 a video that the server has not checked plays before it is loaded and seeks, in the feed and on the light table', async ({
  page,
  member,
}) => {
  const file = await storedLargeMp4(12_000_000)
  await insertVideoPost(member, [{ altText: 'Waves', file }])
  await withoutChecks(page)
  const parts = followParts(page)
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  await page.goto('/')
  const waves = player(page, member, 'Waves')
  const video = waves.locator('video')
  await expectPlays(video)
  await expect(video).toHaveAttribute('src', /^blob:/)
  await expect(video).toHaveJSProperty('muted', true)
  await expect.poll(() => video.evaluate(({ duration }: HTMLVideoElement) => duration)).toBeCloseTo(45, 0)

  await waves.getByRole('slider', { name: videoPlayer.position }).fill('43')
  await expect.poll(() => timeOf(video)).toBeGreaterThan(43)
  // The element itself has no file, and nobody asked for all of it.
  expect(parts.filter(({ type }) => type !== 'fetch')).toEqual([])
  for (const { from, to } of parts) expect(to - from).toBeLessThanOrEqual(1_000_000)
  expect(parts.some(({ from, to }) => from <= 10_600_000 && to > 10_600_000)).toBe(false)

  await waves.getByRole('slider', { name: videoPlayer.position }).fill('10')
  await expect.poll(() => timeOf(video)).toBeLessThan(20)
  await waves.click({ position: { x: 40, y: 40 } })
  const opened = page.getByRole('dialog').locator('video')
  await expect.poll(() => timeOf(opened)).toBeGreaterThan(10)
  await expect(opened).toHaveAttribute('src', /^blob:/)
})

test('MEDIA-07 what fails while a video plays that the server has not checked ends it with a sentence over its cover', {
  tag: '@long',
}, async ({ page, member, problems }) => {
  problems.expect(/play a checked video/)
  await insertVideoPost(member, [{ altText: 'Waves' }])
  await withoutChecks(page)
  await page.emulateMedia({ reducedMotion: 'reduce' })
  const waves = player(page, member, 'Waves')
  const start = () => waves.getByRole('button', { name: videoPlayer.play }).click()
  const expectRefused = async () => {
    await expect(waves.getByText(texts.stories.notShown)).toBeVisible()
    await expect(page.locator('video')).toHaveCount(0)
    await expect(waves.getByRole('button', { name: videoPlayer.play })).toHaveCount(0)
  }
  const good = await storedVideo('place-udta.mp4')
  const grown = await grownMp4(sequence(750, 750))
  const open = async () => {
    await page.goto('/')
    await start()
  }

  await test.step('pictures that grow, which are not asked for again', async () => {
    await serveParts(page, () => ({ file: grown, version: '1' }))
    const parts = followParts(page)
    await open()
    await expectRefused()
    const asked = parts.length
    await page.getByRole('link', { name: explore.title, exact: true }).click()
    await expect(page).toHaveURL(/explore/)
    await page.goBack()
    await expectRefused()
    expect(parts).toHaveLength(asked)
    await page.unroute(VIDEOS)
  })
  await test.step('a page', async () => {
    await serveParts(page, () => ({ file: Buffer.from('<html></html>'), version: '1' }))
    await open()
    await expectRefused()
    await page.unroute(VIDEOS)
  })
  await test.step('a file that changes to one that must not be played', async () => {
    const large = await storedLargeMp4(3_000_000)
    await serveParts(page, (count) =>
      count < 2 ? { file: large, version: '1' } : { file: grown, version: '2' },
    )
    await open()
    await expectRefused()
    await page.unroute(VIDEOS)
  })
  await test.step('a server that sends all of it instead of a part', async () => {
    await page.route(VIDEOS, (route) => route.fulfill({ contentType: 'video/mp4', body: good }))
    await open()
    await expectRefused()
    await page.unroute(VIDEOS)
  })
  await test.step('and a link that has expired does not', async () => {
    let refused = 0
    problems.expect(/400/)
    await page.route(VIDEOS, (route) => {
      refused += 1
      return refused === 1
        ? route.fulfill({
            status: 400,
            json: { statusCode: '400', message: '"exp" claim timestamp check failed' },
          })
        : route.fallback()
    })
    await open()
    await expectPlays(waves.locator('video'))
  })
})

test('MEDIA-07 every kind of video that the app stores plays to its end through the check', {
  tag: '@long',
}, async ({ page, member }) => {
  const names = [
    'place-udta.mp4',
    'kinds/opus.mp4',
    'kinds/upright.mp4',
    'kinds/varying.mp4',
    'kinds/clip.mov',
  ] as const
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await withoutChecks(page)
  for (const name of names)
    await test.step(name, async () => {
      const file = await storedVideo(name)
      await insertVideoPost(member, [{ altText: name, file, durationMs: 2_000 }])
      await page.goto('/')
      const shown = player(page, member, name)
      await shown.getByRole('button', { name: videoPlayer.play }).click()
      const video = shown.locator('video')
      await expectPlays(video)
      if (name === 'kinds/upright.mp4') {
        const [width, height] = await video.evaluate((each: HTMLVideoElement) => [
          each.videoWidth,
          each.videoHeight,
        ])
        expect(height).toBeGreaterThan(width ?? 0)
      }
      await expect(shown.getByRole('button', { name: videoPlayer.playAgain })).toBeVisible()
    })
})

test('MEDIA-07 FEED-14 a video that the server has not checked goes on in a small window', {
  tag: '@long',
}, async ({ page, member }) => {
  await insertVideoPost(member, [{ altText: 'Waves' }])
  await withoutChecks(page)
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  await page.goto('/')
  const waves = player(page, member, 'Waves')
  await expectPlays(waves.locator('video'))
  await waves.getByRole('slider', { name: videoPlayer.position }).fill('30')
  await waves.hover()
  await waves.getByRole('button', { name: videoPlayer.pictureInPicture }).click()
  await expect(waves.getByText(videoPlayer.inPicture)).toBeVisible()
  const time = () =>
    page.evaluate(() => (document.pictureInPictureElement as HTMLVideoElement | null)?.currentTime ?? 0)
  await expect.poll(time).toBeGreaterThan(30)
  await waves.getByRole('button', { name: videoPlayer.playHere }).click()
  await expect.poll(() => timeOf(waves.locator('video'))).toBeGreaterThan(30)
})

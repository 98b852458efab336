import type { Locator, Page } from '@playwright/test'
import { texts } from '#/renderer/lib/texts'
import { videoPlayer } from '#/renderer/lib/texts/later/video-player'
import { storedVideo } from './fixtures/videos'
import { violations } from './support/axe'
import { boxOf } from './support/boxes'
import { countDecoders } from './support/decoders'
import { goOffline } from './support/network'
import { insertPhotoPost } from './support/photo-posts'
import { expect, type Member, test } from './support/test'
import { insertVideoPost } from './support/video-posts'

const CAPTIONS = `WEBVTT

NOTE for nobody

STYLE
::cue { color: red }

00:00.000 --> 00:40.000 position:10%
The <b>tide</b> comes in &amp; <script>out</script>

00:40.000 --> 00:41.000
Late

`

/** The posts of a member: other tests have some in the same feed. */
const postsOf = (page: Page, { username }: Member) =>
  page.getByRole('article', { name: texts.post.by(username) })
/** The player of a member's video, by its alternative text. */
const player = (page: Page, author: Member, name: string) =>
  postsOf(page, author).getByRole('group', { name: RegExp(`^${name}, video`) })
const timeOf = (video: Locator) => video.evaluate(({ currentTime }: HTMLVideoElement) => currentTime)
const expectPlays = (video: Locator) => expect.poll(() => timeOf(video)).toBeGreaterThan(0)

/** Scrolls until the middle of a player is in the middle of the window. */
const scrollTo = (of: Locator) =>
  of.evaluate((element) => element.scrollIntoView({ block: 'center', behavior: 'instant' }))

/** With motion, as npm test has none; with videos that start by themselves. */
async function openFeed(page: Page): Promise<void> {
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  await page.goto('/')
}

async function setHidden(page: Page, isHidden: boolean): Promise<void> {
  await page.evaluate((value) => {
    Object.defineProperty(document, 'hidden', { configurable: true, value })
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))
  }, isHidden)
}

test('FEED-14 MEDIA-03 a video plays muted while most of it is in view, before it is loaded, and only one does', async ({
  page,
  member,
}) => {
  await insertVideoPost(member, [{ altText: 'Gulls' }])
  await insertVideoPost(member, [{ altText: 'Waves', captions: CAPTIONS }])
  const partial = page.waitForResponse(
    (response) => response.url().includes('.mp4') && response.status() === 206,
  )
  const decoders = await countDecoders(page)
  await page.setViewportSize({ width: 1_280, height: 860 })
  await openFeed(page)
  const waves = player(page, member, 'Waves')
  const gulls = player(page, member, 'Gulls')
  const video = page.locator('video')
  await expectPlays(waves.locator('video'))
  await expect(video).toHaveJSProperty('muted', true)
  expect((await partial).request().headers().range).toMatch(/^bytes=\d+-/)
  await expect(waves.getByText('The tide comes in & out')).toBeVisible()
  // Most of the other one is in view too, further from the middle.
  await expect(gulls.getByRole('button', { name: videoPlayer.play })).toBeInViewport()
  await expect(gulls.getByText(videoPlayer.clock(45))).toBeVisible()
  await expect(video).toHaveCount(1)

  await waves.focus()
  await page.keyboard.press('Space')
  await expect(waves.locator('video')).toHaveJSProperty('paused', true)
  await waves.getByRole('slider', { name: videoPlayer.position }).fill('30')
  await expect.poll(() => timeOf(waves.locator('video'))).toBe(30)
  await expect(waves.getByText(videoPlayer.progress(30, 45))).toBeVisible()

  await scrollTo(gulls)
  await expectPlays(gulls.locator('video'))
  await expect(video).toHaveCount(1)
  expect(await decoders()).toBe(1)
})

test('FEED-14 the keys of a focused player are its own, and all others the list’s', {
  tag: '@long',
}, async ({ page, member }) => {
  await insertVideoPost(member, [{ altText: 'Gulls' }], 'The second')
  await insertVideoPost(member, [{ altText: 'Waves', captions: CAPTIONS }, { altText: 'Foam' }], 'The first')
  await openFeed(page)
  const waves = player(page, member, 'Waves')
  const video = waves.locator('video')
  await expectPlays(video)
  await waves.focus()
  await page.keyboard.press('m')
  await expect(video).toHaveJSProperty('muted', false)
  await expect(waves.getByRole('button', { name: videoPlayer.soundOff })).toBeVisible()
  const before = await timeOf(video)
  for (const _ of [1, 2]) await page.keyboard.press('ArrowRight')
  await expect.poll(() => timeOf(video)).toBeGreaterThan(before + 10)
  await page.keyboard.press('Space')
  await expect(video).toHaveJSProperty('paused', true)
  const after = await timeOf(video)
  await page.keyboard.press('ArrowLeft')
  await expect.poll(() => timeOf(video)).toBeCloseTo(after - 5, 1)
  const captions = waves.getByRole('button', { name: videoPlayer.captions })
  await expect(captions).toHaveAttribute('aria-pressed', 'true')
  await page.keyboard.press('c')
  await expect(captions).toHaveAttribute('aria-pressed', 'false')
  await expect(waves.locator('[data-captions]')).toHaveCount(0)
  expect(await page.evaluate(() => window.scrollY)).toBe(0)

  await test.step('a button keeps the space bar, a slider its arrows, and neither reaches the carousel', async () => {
    await waves.getByRole('button', { name: videoPlayer.soundOff }).focus()
    await page.keyboard.press('Space')
    await expect(video).toHaveJSProperty('muted', true)
    await expect(video).toHaveJSProperty('paused', true)
    const slider = waves.getByRole('slider', { name: videoPlayer.position })
    await slider.focus()
    const at = await timeOf(video)
    await page.keyboard.press('ArrowRight')
    await expect.poll(() => timeOf(video)).toBeGreaterThan(at)
    expect(await timeOf(video)).toBeLessThan(at + 4)
    await expect(slider).toBeFocused()
    await expect(slider).toHaveAttribute('aria-valuetext', / seconds of 45 seconds$/)
  })
  await test.step('the list has the others, and c where a video has no captions', async () => {
    await waves.focus()
    await page.keyboard.press('l')
    const card = page.locator('[data-post]').filter({ hasText: 'The first' })
    await expect(card.locator('[data-action=like]')).toHaveAttribute('aria-pressed', 'true')
    await page.keyboard.press('j')
    const gulls = player(page, member, 'Gulls')
    await expectPlays(gulls.locator('video'))
    await gulls.focus()
    await page.keyboard.press('c')
    await expect(page.locator('[data-comment-field]').first()).toBeFocused()
  })
})

test('FEED-14 a video that has no sound by its author’s word plays muted, whatever is in its file', async ({
  page,
  member,
}) => {
  const file = await storedVideo('place-udta.mp4')
  await insertVideoPost(member, [{ altText: 'Waves', file, hasSound: false }])
  await insertVideoPost(member, [{ altText: 'Gulls', file: await storedVideo('place-keys.mp4') }])
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.goto('/')
  const gulls = player(page, member, 'Gulls')
  await gulls.getByRole('button', { name: videoPlayer.play }).click()
  await gulls.focus()
  await page.keyboard.press('m')
  await expect(gulls.locator('video')).toHaveJSProperty('muted', false)
  const waves = player(page, member, 'Waves')
  await waves.getByRole('button', { name: videoPlayer.play }).click()
  await expectPlays(waves.locator('video'))
  await expect(waves.locator('video')).toHaveJSProperty('muted', true)
  await expect(waves.getByRole('button', { name: videoPlayer.soundOn })).toHaveCount(0)
})

test('FEED-14 SET-06 videos play by themselves as the member has chosen, and on a click under reduced motion', {
  tag: '@long',
}, async ({ page, member }) => {
  const words = texts.settings
  await insertVideoPost(member, [{ altText: 'Waves' }])
  await page.addInitScript(() =>
    Object.defineProperty(navigator, 'connection', {
      value: { saveData: sessionStorage.saveData === 'true' },
    }),
  )
  const waves = player(page, member, 'Waves')
  const video = waves.locator('video')
  const choose = async (name: string) => {
    await page.goto('/settings')
    await page.getByRole('radiogroup', { name: words.playVideos }).getByRole('radio', { name }).click()
    await page.goto('/')
  }
  const expectStill = async () => {
    await expect(waves.getByRole('button', { name: videoPlayer.play })).toBeVisible()
    await page.waitForLoadState('networkidle')
    await expect(video).toHaveCount(0)
  }
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.goto('/')
  await expectStill()
  await waves.getByRole('button', { name: videoPlayer.play }).click()
  await expectPlays(video)
  await expect(waves).toBeFocused()

  await choose(words.playVideosWhen.always)
  await expectPlays(video)
  await page.evaluate(() => sessionStorage.setItem('saveData', 'true'))
  await choose(words.playVideosWhen.saveData)
  await expectStill()
  await page.evaluate(() => sessionStorage.setItem('saveData', 'false'))
  await page.reload()
  await expectPlays(video)
  await choose(words.playVideosWhen.click)
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  await expectStill()
})

test('FEED-14 a video stops in a hidden window and below other posts, and goes on where it was', {
  tag: '@long',
}, async ({ page, member }) => {
  await insertPhotoPost(member, [{ size: [900, 900] }, { size: [900, 900] }])
  await insertPhotoPost(member, [{ size: [900, 900] }])
  await insertVideoPost(member, [{ altText: 'Waves' }])
  await openFeed(page)
  const waves = player(page, member, 'Waves')
  const video = waves.locator('video')
  await expectPlays(video)
  await setHidden(page, true)
  await expect(video).toHaveJSProperty('paused', true)
  await setHidden(page, false)
  await expect(video).toHaveJSProperty('paused', false)

  await waves.getByRole('slider', { name: videoPlayer.position }).fill('20')
  await waves.click({ position: { x: 40, y: 40 } })
  await expect(page.getByRole('dialog')).toBeVisible()
  await expect(postsOf(page, member).locator('video')).toHaveCount(0)
  await page.getByRole('button', { name: texts.close }).click()
  await expect.poll(() => timeOf(video)).toBeGreaterThanOrEqual(20)

  await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight))
  await expect(postsOf(page, member).locator('video')).toHaveCount(0)
  await page.evaluate(() => window.scrollTo(0, 0))
  await expect.poll(() => timeOf(video)).toBeGreaterThanOrEqual(20)
  await waves.getByRole('slider', { name: videoPlayer.position }).fill('45')
  await waves.getByRole('button', { name: videoPlayer.playAgain }).click()
  await expect.poll(() => timeOf(video)).toBeLessThan(20)
  await expectPlays(video)
})

test('FEED-14 picture in picture goes on beside the list, and at most two videos are decoded', {
  tag: '@long',
}, async ({ page, member }) => {
  for (const altText of ['Third', 'Second', 'First']) await insertVideoPost(member, [{ altText }])
  const decoders = await countDecoders(page)
  await openFeed(page)
  const isInPicture = () => page.evaluate(() => document.pictureInPictureElement !== null)
  const first = player(page, member, 'First')
  await expectPlays(first.locator('video'))
  await first.hover()
  await first.getByRole('button', { name: videoPlayer.pictureInPicture }).click()
  await expect(first.getByText(videoPlayer.inPicture)).toBeVisible()
  expect(await isInPicture()).toBe(true)
  await expect(postsOf(page, member).locator('video')).toHaveCount(0)
  const time = () =>
    page.evaluate(() => (document.pictureInPictureElement as HTMLVideoElement | null)?.currentTime ?? 0)
  const before = await time()
  await expect.poll(time).toBeGreaterThan(before)

  await scrollTo(player(page, member, 'Second'))
  const third = player(page, member, 'Third')
  await scrollTo(third)
  await expect(third.getByRole('button', { name: videoPlayer.play })).toBeInViewport()
  expect(await isInPicture()).toBe(true)
  await third.getByRole('button', { name: videoPlayer.play }).click()
  await expectPlays(third.locator('video'))
  await expect.poll(isInPicture).toBe(false)

  await page.evaluate(() => window.scrollTo(0, 0))
  await expect.poll(() => timeOf(first.locator('video'))).toBeGreaterThanOrEqual(before)
  await first.hover()
  await first.getByRole('button', { name: videoPlayer.pictureInPicture }).click()
  await expect.poll(isInPicture).toBe(true)
  await first.getByRole('button', { name: videoPlayer.playHere }).click()
  await expectPlays(first.locator('video'))
  await expect.poll(isInPicture).toBe(false)
  expect(await decoders()).toBeLessThanOrEqual(2)
})

test('FEED-14 a video in full screen keeps its controls, and its speed can be chosen', {
  tag: '@long',
}, async ({ page, member }) => {
  await insertVideoPost(member, [{ altText: 'Waves' }])
  await openFeed(page)
  const waves = player(page, member, 'Waves')
  const video = waves.locator('video')
  await expectPlays(video)
  await waves.getByRole('combobox', { name: videoPlayer.speed }).selectOption(videoPlayer.times(1.5))
  await expect(video).toHaveJSProperty('playbackRate', 1.5)
  await waves.hover()
  await waves.getByRole('button', { name: videoPlayer.fullScreen }).click()
  await expect(waves.getByRole('button', { name: videoPlayer.leaveFullScreen })).toBeVisible()
  const box = await boxOf(waves)
  expect([box.width, box.height]).toEqual(Object.values(page.viewportSize() ?? {}))
  await waves.click({ position: { x: 200, y: 200 } })
  await expect(video).toHaveJSProperty('paused', true)
  await expect(waves.getByRole('button', { name: videoPlayer.pause })).toHaveCount(0)
  await waves.getByRole('button', { name: videoPlayer.leaveFullScreen }).click()
  await expect(waves.getByRole('button', { name: videoPlayer.fullScreen })).toBeVisible()
  await expect(page.getByRole('dialog')).toHaveCount(0)
})

test('FEED-14 FEED-18 a video that cannot be played says why, and keeps its cover', {
  tag: '@long',
}, async ({ page, member, problems }) => {
  await insertVideoPost(member, [{ altText: 'Waves' }])
  await page.emulateMedia({ reducedMotion: 'reduce' })
  const waves = player(page, member, 'Waves')
  const start = () => waves.getByRole('button', { name: videoPlayer.play }).click()
  const cover = postsOf(page, member).getByRole('img', { name: 'Waves' })

  await test.step('a broken file', async () => {
    const broken = (url: URL) => url.pathname.endsWith('.mp4')
    await page.route(broken, (route) =>
      route.fulfill({ status: 200, contentType: 'video/mp4', body: 'none' }),
    )
    await page.goto('/')
    await start()
    await expect(waves.getByText(texts.stories.notShown)).toBeVisible()
    await expect(cover).not.toHaveJSProperty('naturalWidth', 0)
    await expect(postsOf(page, member).locator('video')).toHaveCount(0)
    await page.unroute(broken)
  })
  await test.step('one that is gone', async () => {
    await page.route(/\/object\/sign\/media$/, async (route) => {
      const response = await route.fetch()
      const signed: { path: string }[] = await response.json()
      await route.fulfill({ response, json: signed.filter(({ path }) => !path.endsWith('.mp4')) })
    })
    await page.reload()
    await expect(waves.getByText(videoPlayer.gone)).toBeVisible()
    await expect(waves.getByRole('button')).toHaveCount(0)
    await page.unrouteAll({ behavior: 'wait' })
  })
  await test.step('without a connection', async () => {
    await page.reload()
    await expect(waves.getByRole('button', { name: videoPlayer.play })).toBeVisible()
    problems.allow(/./)
    await goOffline(page.context())
    await start()
    await expect(waves.getByText(videoPlayer.offline)).toBeVisible()
    await page.context().setOffline(false)
    await expect(waves.getByText(videoPlayer.offline)).toHaveCount(0)
    await start()
    await expectPlays(waves.locator('video'))
  })
})

test('FEED-14 ACC-02 the player is accessible in both themes, in forced colours, from right to left, and in every size', {
  tag: '@long',
}, async ({ page, member }) => {
  await insertVideoPost(member, [{ altText: 'Gulls', size: [270, 480] }, { altText: 'Foam' }])
  const id = await insertVideoPost(member, [{ altText: 'Waves', captions: CAPTIONS }])
  await openFeed(page)
  const waves = player(page, member, 'Waves')
  await expectPlays(waves.locator('video'))
  await waves.focus()
  await page.keyboard.press('Space')
  await expect(waves.getByText(/The tide/)).toBeVisible()
  for (const scheme of ['light', 'dark'] as const)
    expect(await violations(page, scheme, `[data-post="${id}"]`)).toEqual([])
  for (const [width, height] of [
    [1_280, 860],
    [900, 640],
    [360, 740],
    [2_560, 1_440],
  ] as const) {
    await page.setViewportSize({ width, height })
    await waves.scrollIntoViewIfNeeded()
    await waves.focus()
    if ((await waves.locator('video').count()) === 0) await page.keyboard.press('Space')
    const bar = waves.locator('[data-player-bar]')
    await expect(bar.getByRole('button', { name: videoPlayer.fullScreen })).toBeVisible()
    const [outer, inner] = [await boxOf(waves), await boxOf(bar)]
    expect(inner.width, `${width}`).toBeLessThanOrEqual(outer.width)
    for (const control of await bar.getByRole('button').all()) {
      const box = await boxOf(control)
      expect(box.x + box.width, `${width}`).toBeLessThanOrEqual(outer.x + outer.width)
    }
  }
  await page.setViewportSize({ width: 1_280, height: 860 })
  await page.evaluate(() => document.documentElement.setAttribute('dir', 'rtl'))
  await expect(waves.getByRole('slider')).toHaveCSS('direction', 'ltr')
  const sound = await boxOf(waves.getByRole('button', { name: videoPlayer.soundOn }))
  const time = await boxOf(waves.getByText(/^\d:\d\d \/ 0:45$/))
  expect(sound.x - time.x - time.width, 'the time is beside the sound').toBeLessThan(12)
  await page.emulateMedia({ forcedColors: 'active' })
  await waves.scrollIntoViewIfNeeded()
  await expect(waves.locator('[data-player-bar]')).toHaveCSS('background-image', 'none')
})

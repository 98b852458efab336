import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { texts } from '#/renderer/lib/texts'
import { composePhotos, composeVideo } from '#/renderer/lib/texts/later/compose-photos'
import { fileOf } from './fixtures/photos'
import { longMp4, tracesIn, tracksOf, videoPath } from './fixtures/videos'
import { violations } from './support/axe'
import { boxOf } from './support/boxes'
import { chooseFiles, choosePhotos, dropFile } from './support/files'
import { workerGate } from './support/held-files'
import { mediaOf } from './support/media'
import { answerWith, liveSwitch } from './support/network'
import { png } from './support/png'
import { expect, type Member, test } from './support/test'

const { composer, videoEditor } = texts

const RED = { name: 'red.png', mimeType: 'image/png', buffer: png(300, 200, () => [200, 30, 30]) }
const CLIP = videoPath('kinds/clip.mov')

const chooseVideos = (page: Page, files: Parameters<typeof chooseFiles>[1]) =>
  chooseFiles(page.getByRole('button', { name: /^(Choose videos|Add videos)$/ }), files)
const list = (page: Page) => page.getByRole('list', { name: composePhotos.listWithVideos })
const thumbnail = (page: Page, name: string | RegExp) => list(page).getByRole('button', { name })
const preview = (page: Page) => page.locator(`video[aria-label="${composeVideo.preview}"]`)
const handle = (page: Page, name: keyof typeof videoEditor.handles) =>
  page.getByRole('slider', { name: videoEditor.handles[name] })

/** Resolves when the selected video is converted. */
const isConverted = (page: Page) => expect(preview(page)).toBeVisible({ timeout: 120_000 })

async function share(page: Page): Promise<void> {
  await page.getByRole('button', { name: composer.share, exact: true }).click()
  await expect(page).toHaveURL('/', { timeout: 120_000 })
}

/** The photos and videos of the member's posts, in their order. */
async function storedMedia(member: Member) {
  const { data } = await member.api
    .from('post_media')
    .select('kind,alt_text,duration_ms,has_sound,captions,media_path,width,height')
    .eq('user_id', member.id)
    .order('position')
    .throwOnError()
  return data
}

test.beforeEach(async ({ member: _signedIn, page }) => {
  await page.goto('/create')
})

test('CREATE-12 CREATE-03 a photo and a trimmed video without its sound are one post, in the order that the member gave them', async ({
  page,
  member,
  newMember,
}) => {
  await choosePhotos(page, RED)
  await chooseVideos(page, CLIP)
  await expect(thumbnail(page, /^Video, 2 of 2/)).toHaveAttribute('aria-pressed', 'true')
  await page.getByRole('textbox', { name: composePhotos.altOf(2, true) }).fill('The tide')
  await page.getByRole('button', { name: composeVideo.trim }).click()
  await expect(handle(page, 'from')).toBeFocused()
  for (let press = 0; press < 5; press += 1) await page.keyboard.press('ArrowRight')
  await handle(page, 'cover').press('End')
  await page.getByRole('checkbox', { name: videoEditor.mute }).check()
  await page.getByRole('button', { name: videoEditor.usePart }).click()
  await page.getByRole('button', { name: composePhotos.moveEarlier }).click()
  await expect(page.getByText(composePhotos.moved(1, 2, true))).toBeAttached()
  await isConverted(page)
  await expect(
    page.getByText(/^Published with 2 seconds, 160 × 90 pixels, .*, without sound\./),
  ).toBeVisible()
  await share(page)
  const media = await storedMedia(member)
  expect(media).toMatchObject([
    { kind: 'video', alt_text: 'The tide', has_sound: false, captions: null, width: 160, height: 90 },
    { kind: 'photo', alt_text: null, duration_ms: null },
  ])
  expect(media[0]?.duration_ms).toBe(1_500)
  const bytes = fileOf(await mediaOf(await newMember(), media[0]?.media_path ?? null))
  expect(tracesIn(bytes)).toEqual([])
  expect((await tracksOf(bytes)).map(({ type }) => type)).toEqual(['video'])
})

test('CREATE-08 CREATE-12 a draft keeps its video, its part, its captions and its place across a reload, before and after it is converted', async ({
  page,
  member,
}) => {
  const captions = {
    name: 'tide.vtt',
    mimeType: 'text/vtt',
    buffer: Buffer.from(
      'WEBVTT\n\nNOTE for nobody\n\n00:00.200 --> 00:00.800 position:10%\nThe <b>tide</b> &amp; the wind\n\n00:01.000 --> 00:09.000\nLate\n',
    ),
  }
  await chooseVideos(page, CLIP)
  await chooseFiles(page.getByRole('button', { name: composeVideo.addCaptions }), captions)
  await expect(page.getByText(/tide\.vtt.* – 2 captions/)).toBeVisible()
  await choosePhotos(page, RED)
  await expect(thumbnail(page, 'Photo, 2 of 2')).toBeVisible()
  await page.goto('about:blank')
  await page.goto('/create')
  await thumbnail(page, /^Video, 1 of 2/).click()
  await isConverted(page)
  await page.reload()
  await thumbnail(page, /^Video, 1 of 2/).click()
  await isConverted(page)
  await expect(page.getByText(/tide\.vtt.* – 2 captions/)).toBeVisible()
  await share(page)
  const [video] = await storedMedia(member)
  expect(video).toMatchObject({ kind: 'video', has_sound: true })
  expect(video?.captions).toMatch(
    /^WEBVTT\n\n00:00\.200 --> 00:00\.800\nThe tide &amp; the wind\n\n00:01\.000 --> 00:0[12]\.\d{3}\nLate\n$/,
  )
})

test('CREATE-12 a file that is no WebVTT, or has no captions, says so, and the captions before stay', {
  tag: '@long',
}, async ({ page }) => {
  await chooseVideos(page, CLIP)
  const file = (name: string, content: string) => ({
    name,
    mimeType: 'text/vtt',
    buffer: Buffer.from(content),
  })
  const opener = page.getByRole('button', { name: /captions$/ }).first()
  await chooseFiles(opener, file('subtitles.srt', '1\n00:00:00,000 --> 00:00:01,000\nHello\n'))
  await expect(page.getByRole('alert')).toHaveText(
    `subtitles.srt: ${composeVideo.captionsProblems.unreadable}`,
  )
  await chooseFiles(opener, file('good.vtt', 'WEBVTT\n\n00:00.000 --> 00:01.000\nHello\n'))
  await expect(page.getByRole('alert')).toHaveCount(0)
  await chooseFiles(opener, file('empty.vtt', 'WEBVTT\n'))
  await expect(page.getByRole('alert')).toHaveText(`empty.vtt: ${composeVideo.captionsProblems.empty}`)
  await chooseFiles(opener, file('large.vtt', `WEBVTT\n\n${'x'.repeat(200_001)}`))
  await expect(page.getByRole('alert')).toHaveText(`large.vtt: ${composeVideo.captionsProblems.tooLarge}`)
  const cue = '00:00.000 --> 00:01.000\nHello\n\n'
  await chooseFiles(opener, file('many.vtt', `WEBVTT\n\n${cue.repeat(1_501)}`))
  await expect(page.getByRole('alert')).toHaveText(`many.vtt: ${composeVideo.captionsProblems.tooMany}`)
  await expect(page.getByText(/good\.vtt.* – 1 caption$/)).toBeVisible()
  await page.getByRole('button', { name: composeVideo.removeCaptions }).click()
  await expect(page.getByRole('button', { name: composeVideo.addCaptions })).toBeVisible()
})

test('CREATE-12 Cancel ends the conversion and its worker, and keeps the video; Share converts it', async ({
  page,
  member,
}) => {
  const gate = await workerGate(page)
  await page.reload()
  await chooseVideos(page, CLIP)
  await expect(page.getByRole('img', { name: composeVideo.cover })).toBeVisible({ timeout: 120_000 })
  await gate.hold()
  const progress = page.getByRole('progressbar', { name: composeVideo.converting })
  await expect(progress).toBeVisible()
  await page.getByRole('button', { name: texts.cancel }).click()
  await gate.release()
  await expect(progress).toHaveCount(0)
  await expect(page.getByText(composeVideo.held)).toBeVisible()
  const working = () => page.workers().filter((worker) => worker.url().includes('video.worker')).length
  await expect.poll(working).toBe(0)
  await share(page)
  expect(await storedMedia(member)).toMatchObject([{ kind: 'video', has_sound: true }])
})

test('CREATE-12 of a video of twelve minutes ten are kept: the form says so, and the handles allow no more', {
  tag: '@long',
}, async ({ page }) => {
  await chooseVideos(page, { name: 'long.mp4', mimeType: 'video/mp4', buffer: await longMp4() })
  await expect(page.getByText(composeVideo.heldPart(600))).toBeVisible({
    timeout: 120_000,
  })
  const mark = await boxOf(list(page).getByText('10:00', { exact: true }).locator('..'))
  expect(mark.x, 'its length is within its thumbnail').toBeGreaterThanOrEqual(
    (await boxOf(thumbnail(page, /^Video/))).x,
  )
  await page.getByRole('button', { name: composeVideo.trim }).click()
  await expect(page.getByRole('dialog', { name: composeVideo.trimTitle })).toBeVisible()
  await expect(page.getByText(composeVideo.longest(600))).toBeVisible()
  await handle(page, 'to').press('End')
  await expect(handle(page, 'to')).toHaveAttribute('aria-valuetext', /^1[12]:/)
  await expect(page.getByRole('status').filter({ hasText: '10 minutes' })).toHaveText('10 minutes')
  await handle(page, 'from').press('Home')
  await handle(page, 'to').press('Home')
  await expect(handle(page, 'to')).toHaveAttribute('aria-valuetext', '0:01.0')
  await page.getByRole('button', { name: videoEditor.usePart }).click()
  await isConverted(page)
})

test('CREATE-06 CREATE-12 a dropped video is added; a damaged one is named, and the rest stays', async ({
  page,
}) => {
  await page.getByRole('textbox', { name: composer.textLabel, exact: true }).fill('By the sea')
  await dropFile(page, CLIP)
  await isConverted(page)
  const folder = await mkdtemp(join(tmpdir(), 'vignette-videos-'))
  await writeFile(
    join(folder, 'half.mov'),
    Buffer.from('\0\0\0\x14ftypqt  \0\0\0\0qt  \0\0\0\x10mdat', 'latin1'),
  )
  await dropFile(page, join(folder, 'half.mov'))
  await expect(page.getByRole('alert')).toContainText('half.mov')
  await expect(thumbnail(page, /^Video/)).toHaveCount(1)
  await expect(page.getByRole('textbox', { name: composer.textLabel, exact: true })).toHaveValue('By the sea')
  await rm(folder, { recursive: true })
})

test('CREATE-12 a video is chosen, ordered, trimmed and removed with the keyboard, and has no accessibility violations', async ({
  page,
}) => {
  await choosePhotos(page, RED)
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: composer.addVideos }).press('Enter')
  await (await chooser).setFiles(CLIP)
  await isConverted(page)
  for (const scheme of ['light', 'dark'] as const) expect(await violations(page, scheme)).toEqual([])
  await thumbnail(page, /^Video, 2 of 2/).press('Alt+ArrowLeft')
  await expect(thumbnail(page, /^Video, 1 of 2/)).toBeFocused()
  await page.getByRole('button', { name: composeVideo.trim }).press('Enter')
  await expect(handle(page, 'from')).toBeFocused()
  for (const scheme of ['light', 'dark'] as const) expect(await violations(page, scheme)).toEqual([])
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: composeVideo.trim })).toBeFocused()
  await page.getByRole('button', { name: composeVideo.remove }).press('Enter')
  await expect(page.getByText(composePhotos.videoRemoved)).toBeAttached()
  await expect(page.getByRole('list', { name: composePhotos.list })).toBeVisible()
})

test('CREATE-12 a server that refuses a video because of its size is named, and the form keeps the post until a shorter part is chosen', {
  tag: '@long',
}, async ({ page, member, problems }) => {
  await page.getByRole('textbox', { name: composer.textLabel, exact: true }).fill('By the sea')
  await chooseVideos(page, 'resources/demo/daybreak.mp4')
  await isConverted(page)
  problems.expect(/status of 413/, /share post: too-large/)
  const refusal = { status: 413, json: { statusCode: '413', error: 'Payload too large', message: 'No' } }
  const undo = await answerWith(page, /\/object\/media\/.*\.mp4$/, refusal, { method: 'POST' })
  await page.getByRole('button', { name: composer.share, exact: true }).click()
  await expect(page.getByText(/^This server takes no file of/).first()).toBeVisible()
  await problems.arrived()
  await expect(page).toHaveURL('/create')
  await expect(page.getByRole('textbox', { name: composer.textLabel, exact: true })).toHaveValue('By the sea')
  await expect(thumbnail(page, /^Video/)).toBeVisible()
  await expect(page.getByText(/^This server takes videos of up to \d+ KB: about \d seconds/)).toBeVisible()
  expect(await storedMedia(member)).toEqual([])
  await undo()
  await page.getByRole('button', { name: composeVideo.trim }).click()
  await handle(page, 'to').press('Home')
  await page.getByRole('button', { name: videoEditor.usePart }).click()
  await isConverted(page)
  await share(page)
  expect(await storedMedia(member)).toMatchObject([{ kind: 'video', duration_ms: 1_000 }])
})

test('CREATE-10 CREATE-12 a refused post returns with its video, whose other parts can still be chosen', {
  tag: '@long',
}, async ({ page, member, problems }) => {
  const live = await liveSwitch(page)
  await page.reload()
  await page.getByRole('textbox', { name: composer.textLabel, exact: true }).fill('By the sea')
  await chooseVideos(page, CLIP)
  await page.getByRole('textbox', { name: composer.altLabel }).fill('The tide')
  await page.getByRole('button', { name: composeVideo.trim }).click()
  await handle(page, 'to').press('Home')
  await page.getByRole('button', { name: videoEditor.usePart }).click()
  await isConverted(page)
  live.cut()
  await expect(page.getByRole('button', { name: 'Try now' })).toBeVisible()
  await share(page)
  const pending = page.getByRole('article').filter({ hasText: 'By the sea' })
  await expect(pending).toContainText(texts.outbox.waiting)
  const refusal = { status: 403, json: { code: '42501', message: 'Not now' } }
  const undo = await answerWith(page, /\/rpc\/create_post/, refusal, { method: 'POST' })
  problems.expect(/status of 403/, /share post: forbidden/)
  await page.reload()
  await live.restore()
  await expect(pending).toContainText(texts.outbox.notSent)
  await problems.arrived()
  await undo()
  await pending.getByRole('button', { name: texts.outbox.edit }).click()
  await isConverted(page)
  await expect(page.getByRole('textbox', { name: composer.altLabel })).toHaveValue('The tide')
  await page.getByRole('button', { name: composeVideo.trim }).click()
  await expect(handle(page, 'to')).toHaveAttribute('aria-valuetext', '0:01.0')
  await handle(page, 'to').press('End')
  await page.getByRole('button', { name: videoEditor.usePart }).click()
  await isConverted(page)
  await share(page)
  const [video] = await storedMedia(member)
  expect(video).toMatchObject({ kind: 'video', alt_text: 'The tide' })
  expect(video?.duration_ms).toBeGreaterThan(1_500)
})

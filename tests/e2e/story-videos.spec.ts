import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { BufferSource, Input, MP4 } from 'mediabunny'
import { texts } from '#/renderer/lib/texts'
import { fileOf } from './fixtures/photos'
import { tracesIn, tracksOf, videoPath } from './fixtures/videos'
import { boxOf } from './support/boxes'
import { chooseFiles, dropFile } from './support/files'
import { workerGate } from './support/held-files'
import { longStep } from './support/long-step'
import { mediaOf } from './support/media'
import { holdRequests } from './support/network'
import { expect, type Member, test } from './support/test'

const { makeStory } = texts

const form = (page: Page) => page.getByRole('dialog', { name: makeStory.title })
const video = (page: Page) => page.locator(`video[aria-label="${makeStory.preview}"]`)

async function choose(page: Page, path: string): Promise<void> {
  await page.goto('/?story=new')
  await chooseFiles(page.getByRole('button', { name: makeStory.chooseVideo }), path)
}

async function share(page: Page): Promise<void> {
  await form(page).getByRole('button', { name: makeStory.share, exact: true }).click()
  await expect(form(page)).toHaveCount(0, { timeout: 120_000 })
}

/** The newest story of a member, as `reader` downloads it. */
async function newestStory(member: Member, reader: Member) {
  const { data, error } = await reader.api
    .from('stories')
    .select('id,media_width,media_height,duration_ms,media_path,poster_path')
    .eq('user_id', member.id)
    .order('created_at', { ascending: false })
    .limit(1)
    .single()
  if (error) throw error
  const { media_path, poster_path, ...story } = data
  const bytes = fileOf(await mediaOf(reader, media_path))
  return { ...story, bytes, poster: await mediaOf(reader, poster_path) }
}

/** Container and codecs of a stored video. */
async function formatOf(bytes: Buffer) {
  const input = new Input({ source: new BufferSource(new Uint8Array(bytes)), formats: [MP4] })
  const tracks = await input.getTracks()
  const codecs = await Promise.all(tracks.map((track) => track.getCodecParameterString()))
  return [(await input.getFormat()).name, ...codecs].join(' ')
}

interface Kind {
  name: string
  /** Container and codecs of what is stored. */
  stored: RegExp
  isSoundLost?: true
  /** By default 160 × 90. */
  size?: [width: number, height: number]
}

const H264 = String.raw`avc1\.(42|4d|64)\w+`

/** One that is converted. */
const CONVERTED: Kind = { name: 'hlg.webm', stored: RegExp(`^MP4 ${H264}$`) }
/** One for each other way of storing a video: copied, repacked, and with its sound lost. */
const KINDS: readonly Kind[] = [
  { name: 'clip.mov', stored: RegExp(`^MP4 ${H264} mp4a.40.2$`) },
  { name: 'camera.m2ts', stored: RegExp(`^MP4 ${H264}$`), isSoundLost: true },
  { name: 'vp8.webm', stored: RegExp(`^MP4 ${H264} opus$`) },
]
const OTHER_KINDS: readonly Kind[] = [
  { name: 'old.mov', stored: RegExp(`^MP4 ${H264} mp4a.40.2$`) },
  { name: 'clip.mkv', stored: RegExp(`^MP4 ${H264} mp4a.40.2$`) },
  { name: 'ten-bit.mp4', stored: RegExp(`^MP4 ${H264} mp4a.40.2$`) },
  { name: 'mp3.mp4', stored: RegExp(`^MP4 ${H264} (opus|mp4a.40.2)$`) },
  { name: 'clip.m4v', stored: RegExp(`^MP4 ${H264} mp4a.40.2$`) },
  { name: 'clip.3gp', stored: RegExp(`^MP4 ${H264} mp4a.40.2$`) },
  { name: 'clip.mpegts', stored: RegExp(`^MP4 ${H264} mp4a.40.2$`) },
  { name: 'layer-two.mpegts', stored: RegExp(`^MP4 ${H264}$`), isSoundLost: true },
  { name: 'fragments.mp4', stored: RegExp(`^MP4 ${H264} mp4a.40.2$`) },
  { name: 'vp9.mkv', stored: /^MP4 vp09\.00\S+ opus$/ },
  { name: 'av1.webm', stored: /^MP4 av01\.0\S+ opus$/ },
  { name: 'long-size.webm', stored: /^MP4 vp09\.00\S+$/ },
  { name: 'sixty.mp4', stored: RegExp(`^MP4 ${H264}$`) },
  { name: 'opus.mp4', stored: RegExp(`^MP4 ${H264} opus$`) },
  { name: 'two-tracks.mp4', stored: RegExp(`^MP4 ${H264} mp4a.40.2$`) },
  { name: 'varying.mp4', stored: RegExp(`^MP4 ${H264}$`) },
  { name: 'upright.mp4', stored: RegExp(`^MP4 ${H264} mp4a.40.2$`), size: [90, 160] },
  { name: 'pcm.mov', stored: RegExp(`^MP4 ${H264} (opus|mp4a.40.2)$`) },
]

async function expectShared(page: Page, member: Member, reader: Member, kind: Kind) {
  const { name, stored, isSoundLost, size: [width, height] = [160, 90] } = kind
  await choose(page, videoPath(`kinds/${name}`))
  await expect(video(page), name).toBeVisible({ timeout: 120_000 })
  await expect(page.getByText(makeStory.soundLost), name).toHaveCount(isSoundLost === true ? 1 : 0)
  await expect
    .poll(
      () => video(page).evaluate((element: HTMLVideoElement) => !element.paused && element.videoWidth),
      name,
    )
    .toBe(width)
  await share(page)
  const story = await newestStory(member, reader)
  expect(tracesIn(story.bytes), name).toEqual([])
  expect(await formatOf(story.bytes), name).toMatch(stored)
  expect(story, name).toMatchObject({ media_width: width, media_height: height })
  expect(Math.abs((story.duration_ms ?? 0) - 2_000), name).toBeLessThan(250)
  const [pictures] = await tracksOf(story.bytes)
  expect(pictures?.seconds, name).toBeCloseTo(2, 0)
  expect(pictures?.packets.length, name).toBeLessThanOrEqual(62)
}

test('STORY-08 STORY-11 videos of phones, cameras and recorders are shared: what another member downloads plays everywhere and has no metadata', {
  tag: '@steps',
}, async ({ page, member, newMember }) => {
  test.slow()
  const reader = await newMember()
  await expectShared(page, member, reader, CONVERTED)
  await longStep('stored in every other way', async () => {
    for (const kind of KINDS) await expectShared(page, member, reader, kind)
  })
})

test('STORY-08 STORY-11 every other kind of video too', { tag: '@long' }, async ({
  page,
  member,
  newMember,
}) => {
  test.slow()
  const reader = await newMember()
  for (const kind of OTHER_KINDS) await expectShared(page, member, reader, kind)
})

test('STORY-08 an interlaced video of a camcorder is shared without combs', { tag: '@long' }, async ({
  page,
  member,
  newMember,
}) => {
  await choose(page, videoPath('kinds/interlaced.mpegts'))
  await expect(video(page)).toBeVisible({ timeout: 120_000 })
  await share(page)
  const { bytes } = await newestStory(member, await newMember())
  expect(await formatOf(bytes)).toMatch(RegExp(`^MP4 ${H264}$`))
  // Columns of the test video have one colour, so rows of one moment are alike.
  const differences = await page.evaluate(async (content) => {
    const shown = document.createElement('video')
    shown.muted = true
    shown.src = `data:video/mp4;base64,${content}`
    const canvas = new OffscreenCanvas(160, 96)
    const drawing = canvas.getContext('2d')
    if (drawing === null) throw new Error('no canvas')
    const found: number[] = []
    for (const at of [0.5, 1, 1.5]) {
      await new Promise((resolve) => {
        shown.addEventListener('seeked', resolve, { once: true })
        shown.currentTime = at
      })
      drawing.drawImage(shown, 0, 0)
      const { data } = drawing.getImageData(0, 0, 160, 96)
      let sum = 0
      let range = 0
      for (let pixel = 0; pixel < 160 * 94; pixel += 1)
        sum += Math.abs((data[pixel * 4] ?? 0) - (data[(pixel + 160) * 4] ?? 0))
      for (let pixel = 0; pixel < 160; pixel += 1) range = Math.max(range, data[pixel * 4] ?? 0)
      found.push(range > 150 ? sum / (160 * 94) : Number.NaN)
    }
    return found
  }, bytes.toString('base64'))
  expect(Math.max(...differences)).toBeLessThan(3)
})

/** How much a picture differs from each of the first 13 frames of a video with 10 a second: the mean, of 255. */
function differencesOf(page: Page, bytes: Buffer, picture: string): Promise<number[]> {
  return page.evaluate(
    async ([base64, cover]) => {
      const content = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
      const clip = document.createElement('video')
      clip.muted = true
      clip.src = URL.createObjectURL(new Blob([content]))
      await new Promise((resolve) => clip.addEventListener('loadeddata', resolve, { once: true }))
      const image = new Image()
      image.src = cover
      await image.decode()
      const pixels = (source: CanvasImageSource) => {
        const pen = new OffscreenCanvas(160, 90).getContext('2d', { willReadFrequently: true })
        pen?.drawImage(source, 0, 0, 160, 90)
        return pen?.getImageData(0, 0, 160, 90).data ?? new Uint8ClampedArray()
      }
      const expected = pixels(image)
      const differences: number[] = []
      for (let frame = 0; frame < 13; frame += 1) {
        const seeked = new Promise((resolve) => clip.addEventListener('seeked', resolve, { once: true }))
        clip.currentTime = frame / 10 + 0.05
        await seeked
        const seen = pixels(clip)
        const sum = seen.reduce((total, value, at) => total + Math.abs(value - (expected[at] ?? 0)), 0)
        differences.push(Math.round((sum / seen.length) * 100) / 100)
      }
      return differences
    },
    [bytes.toString('base64'), picture] as const,
  )
}

const editor = (page: Page) => page.getByRole('group', { name: texts.videoEditor.title })
const HANDLES = {
  from: texts.videoEditor.handles.from,
  to: texts.videoEditor.handles.to,
  cover: texts.videoEditor.handles.cover,
}
const handle = (page: Page, name: keyof typeof HANDLES) =>
  editor(page).getByRole('slider', { name: HANDLES[name] })

async function pressTimes(page: Page, key: string, times: number): Promise<void> {
  for (let press = 0; press < times; press += 1) await page.keyboard.press(key)
}

test('STORY-08 a video of more than a minute is cut with the keyboard: its part, its cover and no sound are what is shared', {
  tag: '@long',
}, async ({ page, member, newMember }) => {
  const reader = await newMember()
  await choose(page, videoPath('sixty-one-seconds.webm'))
  await expect(handle(page, 'from')).toBeFocused()
  await expect(editor(page).getByRole('status')).toHaveText('60.0 seconds')
  await expect(video(page)).toHaveCount(0)
  await page.keyboard.press('End')
  await expect(handle(page, 'from')).toHaveAttribute('aria-valuetext', '0:59.0')
  await handle(page, 'to').press('End')
  await expect(handle(page, 'to')).toHaveAttribute('aria-valuetext', '1:01.0')
  await handle(page, 'from').focus()
  await pressTimes(page, 'ArrowLeft', 5)
  await expect(handle(page, 'from')).toHaveAttribute('aria-valuetext', '0:58.5')
  await handle(page, 'cover').press('End')
  await expect(handle(page, 'cover')).toHaveAttribute('aria-valuetext', '1:01.0')
  // The pictures of the filmstrip and the large one are drawn.
  await expect
    .poll(() =>
      form(page)
        .locator('canvas')
        .evaluateAll((all) => all.filter((canvas) => (canvas as HTMLCanvasElement).width !== 300).length),
    )
    .toBe(11)
  await page.getByRole('button', { name: texts.videoEditor.usePart }).click()
  await expect(video(page)).toBeVisible({ timeout: 120_000 })
  await share(page)
  const story = await newestStory(member, reader)
  expect(Math.abs((story.duration_ms ?? 0) - 2_500)).toBeLessThan(150)
  const [pictures] = await tracksOf(story.bytes)
  expect(pictures?.packets[0]?.[0]).toBe(0)
  expect(Math.abs((pictures?.packets.length ?? 0) - 13)).toBeLessThanOrEqual(1)
})

test('STORY-08 a converted video can be cut again, also without its sound; closing the form neither ends the work nor loses the draft, a restart does not either', {
  tag: '@long',
}, async ({ page, member, newMember }) => {
  const reader = await newMember()
  await choose(page, videoPath('kinds/clip.mov'))
  await page.keyboard.press('Escape')
  await expect(form(page)).toHaveCount(0)
  await page.getByRole('button', { name: 'Add story' }).click()
  await expect(video(page)).toBeVisible({ timeout: 120_000 })
  await page.goto('about:blank')
  await page.goto('/?story=new')
  await expect(video(page)).toBeVisible({ timeout: 120_000 })
  await page.getByRole('button', { name: makeStory.edit }).click()
  await handle(page, 'from').focus()
  await pressTimes(page, 'ArrowRight', 7)
  await expect(editor(page).getByRole('status')).toHaveText('1.3 seconds')
  await page.getByRole('checkbox', { name: texts.videoEditor.mute }).check()
  await page.getByRole('button', { name: texts.cancel }).click()
  await expect(video(page)).toBeVisible()
  await page.getByRole('button', { name: makeStory.edit }).click()
  await expect(editor(page).getByRole('status')).toHaveText('2.0 seconds')
  await handle(page, 'from').focus()
  await pressTimes(page, 'ArrowRight', 7)
  await page.getByRole('checkbox', { name: texts.videoEditor.mute }).check()
  await handle(page, 'cover').press('End')
  await pressTimes(page, 'ArrowLeft', 3)
  await expect(handle(page, 'cover')).toHaveAttribute('aria-valuetext', '0:01.7')
  await page.getByRole('button', { name: texts.videoEditor.usePart }).click()
  await expect(video(page)).toBeVisible({ timeout: 120_000 })
  await expect(page.getByRole('progressbar')).toHaveCount(0, { timeout: 120_000 })
  await share(page)
  const story = await newestStory(member, reader)
  expect(story.duration_ms).toBe(1_300)
  const tracks = await tracksOf(story.bytes)
  expect(tracks.map(({ type, packets }) => [type, packets.length])).toEqual([['video', 13]])
  // Of 10 frames a second from 0.7 s on, the one at 1.7 s; each of the others differs more.
  const differences = await differencesOf(page, story.bytes, story.poster ?? '')
  expect(differences.indexOf(Math.min(...differences)), differences.join(' ')).toBe(10)
  expect(tracesIn(story.bytes)).toEqual([])
})

const sizeOf = async (page: Page) => {
  const { width, height } = await boxOf(form(page))
  return { width, height }
}

test('STORY-08 cancelling the conversion of a video ends its worker and returns to the editor, a restart does too; the form keeps its size', {
  tag: '@long',
}, async ({ page, member: _signedIn }) => {
  const gate = await workerGate(page)
  await choose(page, videoPath('sixty-one-seconds.webm'))
  await expect(editor(page)).toBeVisible({ timeout: 120_000 })
  const size = await sizeOf(page)
  await pressTimes(page, 'ArrowRight', 15)
  await handle(page, 'cover').press('End')
  const isAsChosen = async () => {
    await expect(handle(page, 'from')).toHaveAttribute('aria-valuetext', '0:01.5')
    await expect(handle(page, 'cover')).toHaveAttribute('aria-valuetext', '1:00.0')
  }
  await isAsChosen()
  await gate.hold()
  const started = page.waitForEvent('worker', (worker) => worker.url().includes('video.worker'))
  await page.getByRole('button', { name: texts.videoEditor.usePart }).click()
  await expect(page.getByRole('progressbar', { name: makeStory.working })).toBeVisible()
  expect(await sizeOf(page)).toEqual(size)
  const working = () => page.workers().filter((worker) => worker.url().includes('video.worker')).length
  await expect.poll(working).toBe(1)
  const ended = (await started).waitForEvent('close')
  await gate.release()
  await page.getByRole('button', { name: texts.cancel }).click()
  await ended
  await isAsChosen()
  // The worker of the filmstrip.
  await expect.poll(working).toBe(1)
  await page.goto('about:blank')
  await page.goto('/?story=new')
  await expect(editor(page)).toBeVisible({ timeout: 120_000 })
  await isAsChosen()
  await page.getByRole('button', { name: texts.cancel }).click()
  expect(await sizeOf(page)).toEqual(size)
  await chooseFiles(
    page.getByRole('button', { name: makeStory.chooseVideo }),
    videoPath('three-seconds.webm'),
  )
  await expect(video(page)).toBeVisible({ timeout: 120_000 })
  expect(await sizeOf(page)).toEqual(size)
})

test('STORY-08 a video that is dropped while a story is being shared is added afterwards', {
  tag: '@long',
}, async ({ page, member }) => {
  await choose(page, videoPath('three-seconds.webm'))
  await expect(video(page)).toBeVisible({ timeout: 120_000 })
  const held = await holdRequests(page, /\/rest\/v1\/stories/, { method: 'POST' })
  await form(page).getByRole('button', { name: makeStory.share, exact: true }).click()
  await held.arrived
  await dropFile(page, videoPath('kinds/clip.mov'))
  await expect(form(page).getByText(/clip\.mov.* is added when this story is shared\./)).toBeVisible()
  await held.release()
  await expect(page.getByRole('button', { name: makeStory.edit })).toBeVisible({ timeout: 120_000 })
  await expect
    .poll(() => video(page).evaluate((element: HTMLVideoElement) => element.duration))
    .toBeLessThan(2.5)
  await share(page)
  const { data } = await member.api.from('stories').select('duration_ms').eq('user_id', member.id)
  expect(data?.map(({ duration_ms }) => Math.round((duration_ms ?? 0) / 1_000)).sort()).toEqual([2, 3])
})

test('STORY-08 a video whose pictures cannot be loaded is trimmed without them', { tag: '@long' }, async ({
  page,
  problems,
  member: _signedIn,
}) => {
  problems.expect(/show pictures of a video/, /ERR_FAILED/)
  await choose(page, videoPath('three-seconds.webm'))
  await expect(video(page)).toBeVisible({ timeout: 120_000 })
  await page.route('**/assets/video-worker-*.js', (route) => route.abort())
  await page.reload()
  await page.getByRole('button', { name: makeStory.edit }).click()
  await handle(page, 'from').press('ArrowRight')
  await expect(handle(page, 'from')).toHaveAttribute('aria-valuetext', '0:00.1')
  await page.getByRole('button', { name: texts.cancel }).click()
  await expect(video(page)).toBeVisible()
})

test('STORY-08 a refusal names the file, whatever its name: the page keeps its width', {
  tag: '@long',
}, async ({ page, member }) => {
  const folder = await mkdtemp(join(tmpdir(), 'vignette-videos-'))
  const half = (await readFile(videoPath('kinds/clip.mov'))).subarray(0, 9_000)
  for (const [name, shown] of [
    [`${'long'.repeat(50)}.mov`, `${'long'.repeat(6)}…ong${'long'.repeat(2)}.mov`],
    ['holiday\u202egpj.mov', 'holidaygpj.mov'],
  ] as const) {
    await writeFile(join(folder, name), half)
    await choose(page, join(folder, name))
    await expect(page.getByRole('alert')).toHaveText(`${shown}: ${texts.media['video-incomplete']}`)
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
  }
  await rm(folder, { recursive: true })
  const { data } = await member.api.from('stories').select('id').eq('user_id', member.id)
  expect(data).toEqual([])
})

import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page, Route } from '@playwright/test'
import { texts } from '#/renderer/lib/texts'
import { POST_VIDEO } from '#/shared/limits'
import { isPlayableVideo } from '#/shared/played-video'
import { photoPath } from './fixtures/photos'
import { paddedMp4, viewer } from './fixtures/stories'
import { enlargedMp4, videoPath } from './fixtures/videos'
import { countUnsent } from './support/earlier-device'
import { chooseFiles } from './support/files'
import { longStep } from './support/long-step'
import { storedPhoto } from './support/media'
import { holdRequests } from './support/network'
import { noisePng, png } from './support/png'
import { expect, type Member, test } from './support/test'

const { composer, makeStory } = texts

const UPLOADS = /\/storage\/v1\/object\/media\//
const LINKS = /\/storage\/v1\/object\/sign\/media\/.+\?token=/

/** Paths of the objects in the member's folder. */
async function objectsOf(member: Member): Promise<string[]> {
  const { data, error } = await member.api.storage.from('media').list(member.id)
  if (error) throw error
  return data.map(({ name }) => name)
}

async function choose(page: Page, button: string, path: string | Buffer): Promise<void> {
  const file = typeof path === 'string' ? path : { name: 'a.png', mimeType: 'image/png', buffer: path }
  await chooseFiles(page.getByRole('button', { name: button }), file)
}

/** Holds every second upload, which cancelling aborts. Returns a function that returns the number of uploads so far. */
async function holdSecondUploads(page: Page): Promise<() => number> {
  let count = 0
  await page.route(UPLOADS, async (route) => {
    if (route.request().method() === 'POST') count += 1
    if (route.request().method() !== 'POST' || count % 2 === 1) await route.fallback()
  })
  return () => count
}

/** Shares a photo, and waits until the feed shows it. */
async function sharePhoto(page: Page, photo: Buffer): Promise<void> {
  await page.goto('/create')
  await choose(page, composer.choosePhotos, photo)
  await page.getByRole('textbox', { name: composer.altLabel }).fill('Noise')
  await page.getByRole('button', { name: composer.share }).click()
  await expect(page).toHaveURL('/')
}

test('MEDIA-05 an upload shows its progress; cancelling it keeps the draft and leaves no object', {
  tag: '@steps',
}, async ({ page, member, problems }) => {
  problems.expect(/share post: refused cancelled/)
  await page.goto('/create')
  await choose(page, composer.choosePhotos, photoPath('orientation-6.jpg'))
  await page.getByPlaceholder(composer.placeholder).fill('Not yet')
  const uploads = await holdSecondUploads(page)
  await page.getByRole('button', { name: composer.share }).click()
  await expect.poll(uploads).toBe(2)
  await expect(page.getByRole('progressbar', { name: composer.uploading })).toBeVisible()
  expect(await objectsOf(member)).toHaveLength(1)
  await page.getByRole('button', { name: texts.cancel }).click()
  await expect(page.getByRole('button', { name: composer.share })).toBeEnabled()
  await expect(page.getByRole('progressbar')).toHaveCount(0)
  await expect(page.getByPlaceholder(composer.placeholder)).toHaveValue('Not yet')
  await expect.poll(() => objectsOf(member)).toEqual([])

  await longStep('so does a story', async () => {
    problems.expect(/share story: refused cancelled/)
    await page.goto('/?story=new')
    await choose(page, makeStory.choosePhoto, photoPath('orientation-6.jpg'))
    await page.getByRole('textbox', { name: makeStory.caption }).fill('Nor this')
    await page.getByRole('button', { name: makeStory.share, exact: true }).click()
    await expect.poll(uploads).toBe(4)
    await expect(page.getByRole('progressbar', { name: makeStory.uploading })).toBeVisible()
    await page.getByRole('button', { name: texts.cancel }).click()
    await expect(page.getByRole('button', { name: makeStory.share, exact: true })).toBeEnabled()
    await expect(page.getByRole('textbox', { name: makeStory.caption })).toHaveValue('Nor this')
    await expect.poll(() => objectsOf(member)).toEqual([])
  })
  await problems.arrived()
})

test('MEDIA-02 MEDIA-04 a photo has its final size and a placeholder before it is loaded, one size per screen, gets another alt text, and is deleted with its post', async ({
  page,
  member,
  openAs,
  other,
}) => {
  await sharePhoto(
    page,
    png(1_400, 1_000, (x, y) => [(x >> 3) % 256, (y >> 2) % 256, 120]),
  )
  const reader = await openAs(other)
  const held = await holdRequests(reader, LINKS)
  await reader.goto('/')
  const photo = reader.getByRole('article').first().getByRole('img', { name: 'Noise' })
  await held.arrived
  await expect(photo).toHaveAttribute('srcset', /\?token=\S+ 896w, \S+ 1080w, \S+ 1400w$/)
  await expect(photo).toHaveCSS('background-image', /^url\("data:image\/svg\+xml;base64,/)
  const before = await photo.boundingBox()
  await held.release()
  await expect(photo).toHaveCSS('background-image', 'none')
  await expect(photo).toHaveJSProperty('complete', true)
  expect(await photo.boundingBox()).toEqual(before)
  expect((await storedPhoto(member)).full).not.toBe('')

  await page.goto(`/profile/${member.username}`)
  const cell = page.getByRole('main').getByRole('img', { name: 'Noise' })
  await expect(cell).toHaveJSProperty('complete', true)
  // The size of the grid is enough for the cell, whose picture is wider than its square.
  await expect(cell).toHaveAttribute('srcset', /^\S+ 896w, \S+ 1080w$/)
  const [smallest = ''] = (await cell.getAttribute('srcset'))?.split(' ') ?? []
  await expect(cell).toHaveJSProperty('currentSrc', smallest)
  expect(await objectsOf(member)).toHaveLength(3)
  await cell.click()
  await page.getByRole('button', { name: texts.post.options }).click()
  await page.getByRole('menuitem', { name: texts.post.editPost }).click()
  const form = page.getByRole('dialog', { name: texts.post.editPost })
  await expect(form.getByRole('textbox', { name: composer.altLabel })).toHaveValue('Noise')
  await form.getByRole('textbox', { name: composer.altLabel }).fill('Waves')
  await form.getByRole('button', { name: texts.post.saveChanges }).click()
  await expect(page.getByRole('dialog').getByRole('img', { name: 'Waves' })).toBeVisible()
  expect((await storedPhoto(member)).altText).toBe('Waves')
  await page.getByRole('button', { name: texts.post.options }).click()
  await page.getByRole('menuitem', { name: texts.post.deletePost }).click()
  await page.getByRole('button', { name: texts.delete, exact: true }).click()
  await expect.poll(() => objectsOf(member)).toEqual([])
})

test('MEDIA-03 a video streams from its link in ranges, with its poster, and seeks', async ({
  page,
  member,
}) => {
  const upload = async (name: string, content: Buffer, type: string) => {
    const path = `${member.id}/${crypto.randomUUID()}.${name}`
    const { error } = await member.api.storage.from('media').upload(path, content, { contentType: type })
    if (error) throw error
    return path
  }
  await member.api
    .from('stories')
    .insert({
      user_id: member.id,
      media_type: 'video',
      media_path: await upload('mp4', await paddedMp4(8_000_000), 'video/mp4'),
      poster_path: await upload('png', noisePng(32, 1), 'image/png'),
      thumbhash: '1QcSHQRnh493V4dIh4eXh1h4kJUI',
      media_width: 180,
      media_height: 320,
      duration_ms: 45_000,
    })
    .throwOnError()
  const partial = page.waitForResponse(
    (response) => response.url().includes('.mp4') && response.status() === 206,
  )
  await page.goto('/')
  await page.getByRole('button', { name: texts.strip.yours }).click()
  const video = viewer(page, member.username).locator('video')
  await expect(video).toHaveAttribute('src', LINKS)
  await expect(video).toHaveAttribute('preload', 'metadata')
  await expect(video).toHaveAttribute('poster', LINKS)
  expect((await partial).request().headers().range).toMatch(/^bytes=\d+-/)
  await expect
    .poll(() => video.evaluate((element: HTMLVideoElement) => element.currentTime))
    .toBeGreaterThan(0)
  // The right half of the window is 20 % of 15 seconds ahead.
  const { width = 0, height = 0 } = page.viewportSize() ?? {}
  await page.mouse.click(width * 0.7, height / 2)
  await expect
    .poll(() => video.evaluate((element: HTMLVideoElement) => element.currentTime))
    .toBeGreaterThan(3)
})

/** Addresses of uploads of videos, also in pieces. */
const VIDEOS = /\/storage\/v1\/(upload\/resumable|object\/media\/[^?]*\.(mp4|webm)$)/

/** The uploads of videos that the page begins. */
function uploadsOf(page: Page): string[] {
  const uploads: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'POST' && VIDEOS.test(request.url())) uploads.push(request.url())
  })
  return uploads
}

/** Slows the page's uploads to this many bytes a second, or cuts its connection. */
async function networkOf(page: Page) {
  const session = await page.context().newCDPSession(page)
  const set = (offline: boolean, uploadThroughput: number) =>
    session.send('Network.emulateNetworkConditions', {
      offline,
      latency: 0,
      downloadThroughput: -1,
      uploadThroughput,
    })
  return { slow: () => set(false, 500_000), cut: () => set(true, -1), restore: () => set(false, -1) }
}

/** Chooses a video of 14 MB for a story and shares it. */
async function shareVideoStory(page: Page): Promise<void> {
  await page.goto('/?story=new')
  const buffer = await enlargedMp4(14_000_000)
  await chooseFiles(page.getByRole('button', { name: makeStory.chooseVideo }), {
    name: 'long.mp4',
    mimeType: 'video/mp4',
    buffer,
  })
  await page.getByRole('textbox', { name: makeStory.caption }).fill('Waves')
  await page.getByRole('button', { name: makeStory.share, exact: true }).click()
}

/** The files of running uploads, if the tested server is an embedded one. */
async function unfinishedFiles(dataFolder: string): Promise<string[]> {
  const folder = join(dataFolder, 'objects/uploads')
  return existsSync(folder) ? readdir(folder) : []
}

const ASSETS = join(import.meta.dirname, '../../out/renderer/assets')

/** The address of a script of the built app. */
async function scriptUrl(pattern: RegExp): Promise<string> {
  const [name, ...others] = (await readdir(ASSETS)).filter((each) => pattern.test(each))
  if (name === undefined || others.length > 0) throw new Error(`not one script ${pattern}`)
  return `/assets/${name}`
}

/** Converts a video and gives it to the outbox in a post, as the composer will. Resolves with what the outbox says. */
async function submitVideoPost(page: Page, id: string): Promise<unknown> {
  const source = (await readFile(videoPath('kinds/clip.mov'))).toString('base64')
  const worker = await scriptUrl(/^video\.worker-.*\.js$/)
  const outbox = await scriptUrl(/^active-[\w-]{8}\.js$/)
  return page.evaluate(
    async ([worker, outbox, content, rules, row]) => {
      const bytes = Uint8Array.from(atob(content), (character) => character.charCodeAt(0))
      const converter = new Worker(worker, { type: 'module' })
      // biome-ignore lint/suspicious/noExplicitAny: types of the page are not those of the test
      const { video } = await new Promise<any>((resolve, reject) => {
        converter.addEventListener('message', ({ data }) => data.type !== 'progress' && resolve(data))
        converter.addEventListener('error', () => reject(new Error('The worker failed')))
        converter.postMessage({ type: 'prepare-post', source: new Blob([bytes]), edit: null, rules })
      })
      converter.terminate()
      // Names of exports are short ones.
      const functions: ((kind: object, row: object) => unknown)[] = Object.values(await import(outbox))
      const submit = functions.find((each) => /\.submit\(/.test(String(each)))
      const medium = { ...video, captions: 'WEBVTT\n\n00:00.000 --> 00:01.000\nHello', altText: 'Waves' }
      const payload = { content: 'From the sea', location: '', photos: [medium] }
      return submit?.({ name: 'post' }, { id: row, scope: 'post', payload })
    },
    [worker, outbox, source, POST_VIDEO, id] as const,
  )
}

test('CREATE-10 MEDIA-05 a post with a video whose upload was cut waits with its cover, and is stored once after a restart', async ({
  page,
  member,
  problems,
}) => {
  problems.expect(/share post: offline/)
  problems.allow(
    /ERR_INTERNET_DISCONNECTED|: offline|WebSocket connection|live channel: Error|load ahead: TypeError: Failed to fetch/,
  )
  // How often a row was written with its files, which the browser copies each time.
  await page.addInitScript(() => {
    const { put } = IDBObjectStore.prototype
    IDBObjectStore.prototype.put = function (...args) {
      if (args[0]?.payload !== undefined) localStorage.copies = String(Number(localStorage.copies ?? 0) + 1)
      return put.apply(this, args)
    }
  })
  await page.goto('/')
  await expect(page.getByRole('main')).toBeVisible()
  const network = await networkOf(page)
  await page.route(
    VIDEOS,
    async (route) => {
      await network.cut()
      await route.abort('internetdisconnected')
    },
    { times: 1 },
  )
  const id = randomUUID()
  expect(await submitVideoPost(page, id)).toBe('waiting')
  await problems.arrived()
  const waiting = page.locator(`[data-post="${id}"]`)
  await expect(waiting).toContainText(texts.outbox.waiting)
  const cover = waiting.getByRole('img', { name: /Waves.*, video, \d+ seconds?$/ })
  await expect(cover).not.toHaveJSProperty('naturalWidth', 0)
  await expect(waiting.getByText(/^0:0\d$/)).toBeVisible()
  expect(await page.evaluate(() => localStorage.copies)).toBe('1')

  await page.goto('about:blank')
  await network.restore()
  await page.goto('/')
  const rows = async () => {
    const { data } = await member.api
      .from('post_media')
      .select('post_id,kind,media_path,full_path,duration_ms,has_sound,captions,alt_text')
      .eq('user_id', member.id)
    return data ?? []
  }
  await expect.poll(rows).toHaveLength(1)
  const [row] = await rows()
  expect(row).toMatchObject({ post_id: id, kind: 'video', has_sound: true, alt_text: 'Waves' })
  expect(row?.captions).toContain('Hello')
  expect(row?.duration_ms).toBeGreaterThan(100)
  const { data: stored } = await member.api.storage.from('media').download(row?.media_path ?? '')
  const file = Buffer.from((await stored?.arrayBuffer()) ?? new ArrayBuffer(0))
  const read = async (from: number, to: number) => file.subarray(from, to)
  expect(await isPlayableVideo('mp4', read, file.length)).toBe(true)
  // The three stills that had arrived were not sent again.
  expect(await objectsOf(member)).toHaveLength(4)
  await expect.poll(() => countUnsent(page)).toBe(0)
  expect(await page.evaluate(() => localStorage.copies)).toBe('1')
  await expect(page.locator(`[data-post="${id}"]`).getByRole('img', { name: 'Waves' })).toBeVisible()
})

test('MEDIA-05 STORY-01 a video of more than 6 MB whose connection was cut is sent once the app was started again', {
  tag: '@long',
}, async ({ page, member, server, problems }) => {
  problems.expect(/share story: offline/)
  problems.allow(
    /ERR_INTERNET_DISCONNECTED|: offline|WebSocket connection|live channel: Error|load ahead: TypeError: Failed to fetch/,
  )
  const uploads = uploadsOf(page)
  const network = await networkOf(page)
  // Chromium would finish a request that it is sending.
  const cut = async (route: Route) => {
    await network.cut()
    await route.abort('internetdisconnected')
  }
  await page.route(VIDEOS, cut, { times: 1 })
  await shareVideoStory(page)
  // The story waits in the outbox.
  await expect(page.getByRole('dialog', { name: makeStory.title })).toHaveCount(0)
  await problems.arrived()
  await page.goto('about:blank')
  await network.restore()
  await page.goto('/')
  const stories = async () =>
    (await member.api.from('stories').select('content,media_path').eq('user_id', member.id)).data ?? []
  await expect.poll(stories).toHaveLength(1)
  // To a server on this computer in one request each time, and never over what has arrived.
  expect(uploads).toHaveLength(2)
  expect(new Set(uploads).size).toBe(2)
  expect(uploads.join()).not.toContain('resumable')
  const [story] = await stories()
  expect(story?.content).toBe('Waves')
  const { data: stored } = await member.api.storage.from('media').download(story?.media_path ?? '')
  expect(stored?.size).toBeGreaterThan(13_000_000)
  expect(await unfinishedFiles(server.dataFolder)).toEqual([])

  await page.getByRole('button', { name: texts.strip.yours }).click()
  const video = viewer(page, member.username).locator('video')
  await expect
    .poll(() => video.evaluate((element: HTMLVideoElement) => element.currentTime))
    .toBeGreaterThan(0)
})

test('MEDIA-05 STORY-01 cancelling the upload of a video of more than 6 MB leaves nothing at the server', {
  tag: '@long',
}, async ({ page, member, server, problems }) => {
  problems.expect(/share story: refused cancelled/)
  const network = await networkOf(page)
  await network.slow()
  await shareVideoStory(page)
  const progress = page.getByRole('progressbar', { name: makeStory.uploading })
  await expect
    .poll(() => progress.evaluate((element: HTMLProgressElement) => element.value))
    .toBeGreaterThan(0.05)
  await page.getByRole('button', { name: texts.cancel }).click()
  await expect(page.getByRole('button', { name: makeStory.share, exact: true })).toBeEnabled()
  await expect(page.getByRole('textbox', { name: makeStory.caption })).toHaveValue('Waves')
  await expect.poll(() => objectsOf(member)).toEqual([])
  await expect.poll(() => unfinishedFiles(server.dataFolder)).toEqual([])
  await network.restore()
  await problems.arrived()
})

import { mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { texts } from '#/renderer/lib/texts'
import { sequence } from '#tests/mp4-files'
import { expectPixelsAlone, fileOf, photoPath, refusedFile } from './fixtures/photos'
import { bubble, colour, showStoriesOf, viewer } from './fixtures/stories'
import {
  box,
  changedMp4,
  enlargedMp4,
  grownMp4,
  hugeVideo,
  tracesIn,
  tracksOf,
  videoPath,
} from './fixtures/videos'
import { chooseFiles, dropFile } from './support/files'
import { longStep } from './support/long-step'
import { mediaOf } from './support/media'
import { answerWith, failRequests, goOffline, holdRequests, joined, loseAnswers } from './support/network'
import { expect, type Member, test } from './support/test'

const { makeStory } = texts
const STORIES = /\/rest\/v1\/stories/
const COLUMNS =
  'id,media_type,content,media_width,media_height,duration_ms,media_path,poster_path,created_at,expires_at'

let folder = ''
test.beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vignette-stories-'))
})
test.afterAll(() => rm(folder, { recursive: true, force: true }))

async function file(name: string, content: Buffer): Promise<string> {
  const path = join(folder, name)
  await writeFile(path, content)
  return path
}

/** A file of more than 1 GB with this beginning; the rest takes no room on the disk. */
async function largeFile(name: string, head: Buffer): Promise<string> {
  const path = await file(name, head)
  await truncate(path, 1024 ** 3 + 1)
  return path
}

/** Chooses a file in the file dialog, by path, so that its contents do not pass through the page. */
async function choose(page: Page, kind: 'photo' | 'video', path: string): Promise<void> {
  await chooseFiles(
    page.getByRole('button', { name: kind === 'photo' ? makeStory.choosePhoto : makeStory.chooseVideo }),
    path,
  )
}

const form = (page: Page) => page.getByRole('dialog', { name: makeStory.title })
const photo = (page: Page) => page.getByRole('img', { name: makeStory.preview })
const video = (page: Page) => page.locator(`video[aria-label="${makeStory.preview}"]`)
const caption = (page: Page) => page.getByRole('textbox', { name: makeStory.caption })
const share = (page: Page) => form(page).getByRole('button', { name: makeStory.share, exact: true })

/** The stories of a member, with their media as `reader` downloads them. */
async function storedStories(member: Member, reader = member) {
  const { data, error } = await reader.api.from('stories').select(COLUMNS).eq('user_id', member.id)
  if (error) throw error
  return Promise.all(
    data.map(async ({ media_path, poster_path, ...story }) => ({
      ...story,
      media: await mediaOf(reader, media_path),
      small: await mediaOf(reader, poster_path),
    })),
  )
}

/** The state of the video element. */
function videoState(page: Page) {
  return page.locator('video').evaluate((video: HTMLVideoElement) => ({
    isMuted: video.muted,
    isPlaying: !video.paused,
    duration: Math.round(video.duration),
  }))
}

test('STORY-01 STORY-02 shares a photo with a caption: preview, Change Media, a failure keeps all input, and a repeated send stores one story', {
  tag: '@smoke',
}, async ({ page, member, problems }) => {
  const path = await file('field.png', colour(30, 140, 60))
  await page.goto('/')
  await page.getByRole('button', { name: 'Add story' }).click()
  await expect(page).toHaveURL('/?story=new')
  await choose(page, 'photo', path)
  await expect(photo(page)).toBeVisible()
  await caption(page).fill('Not this')
  await expect(form(page).getByText('Not this').first()).toBeVisible()
  await page.getByRole('button', { name: makeStory.change }).click()
  await expect(photo(page)).toHaveCount(0)
  await expect(share(page)).toHaveCount(0)
  await expect(page.getByRole('button', { name: makeStory.choosePhoto })).toBeFocused()

  await choose(page, 'photo', photoPath('orientation-6.jpg'))
  await expect(caption(page)).toHaveValue('')
  await caption(page).fill('📷'.repeat(501))
  await expect(page.getByRole('alert')).toHaveText('1 character too many')
  await expect(share(page)).toBeDisabled()
  await caption(page).fill('  Barley, almost ripe.  ')
  // The preview shows the caption over the media.
  await expect(form(page).getByRole('paragraph').filter({ hasText: 'Barley, almost ripe.' })).toBeVisible()

  problems.expect(STORIES, /share story: offline/)
  const undo = await failRequests(page, STORIES, { method: 'POST' })
  await share(page).click()
  await problems.arrived()
  await expect(share(page)).toBeEnabled()
  await expect(page.getByRole('alert')).toHaveCount(0)
  await undo()
  // Leaving the form keeps the draft.
  await page.keyboard.press('Escape')
  await expect(page).toHaveURL('/')
  await page.getByRole('link', { name: 'Create post' }).click()
  await page.getByRole('link', { name: makeStory.insteadOfPost }).click()
  await expect(page).toHaveURL('/?story=new')
  await expect(photo(page)).toBeVisible()
  await expect(caption(page)).toHaveValue('  Barley, almost ripe.  ')

  // The server stores the story and the response is lost. Sharing it with another caption replaces the stored one.
  const deliver = await loseAnswers(page, STORIES, { method: 'POST' })
  for (let attempt = 0; attempt < 2; attempt += 1) {
    const lost = page.waitForEvent('requestfailed')
    await share(page).click()
    await lost
    await expect(share(page)).toBeEnabled()
  }
  expect(await storedStories(member)).toHaveLength(1)
  await deliver()
  await caption(page).fill(' Barley, ripe. ')
  const held = await holdRequests(page, STORIES, { method: 'POST' })
  await share(page).click()
  await held.arrived
  await expect(page.getByRole('button', { name: makeStory.sharing })).toBeDisabled()
  await held.release()
  await expect(form(page)).toHaveCount(0)
  await expect(page).toHaveURL('/')
  const stories = await storedStories(member)
  expect(stories).toMatchObject([
    { media_type: 'image', content: 'Barley, ripe.', media_width: 120, media_height: 80, duration_ms: null },
  ])
  expectPixelsAlone(...stories.flatMap(({ media, small }) => [media, small]))
  const [{ created_at, expires_at } = { created_at: '', expires_at: '' }] = stories
  expect(Date.parse(expires_at) - Date.parse(created_at)).toBe(24 * 60 * 60 * 1_000)

  await page.getByRole('button', { name: 'Your story' }).click()
  await expect(viewer(page, member.username).getByText('Barley, ripe.')).toBeVisible()
})

/** The member's stories that are not on the server yet. */
const pendingStories = (page: Page) =>
  page.getByRole('list', { name: texts.strip.pending }).getByRole('listitem')

test('STORY-10 a story shared without a connection waits in all windows and after a restart, and can be edited when it is refused', {
  tag: '@long',
}, async ({ page, context, member, problems }) => {
  const path = await file('tunnel.png', colour(20, 20, 40))
  const live = joined(page)
  await page.goto('/')
  await live
  const second = await context.newPage()
  await second.goto('/')
  await page.getByRole('button', { name: 'Add story' }).click()
  await choose(page, 'photo', path)
  await expect(photo(page)).toBeVisible()
  await caption(page).fill('In the tunnel')

  problems.allow(/ERR_INTERNET_DISCONNECTED|offline|Failed to fetch|heartbeat timeout/)
  await goOffline(context)
  await share(page).click()
  await expect(form(page)).toHaveCount(0)
  for (const window of [page, second]) {
    await expect(pendingStories(window)).toHaveText(/In the tunnel.*Waiting for the connection…/)
    await expect(window.getByRole('button', { name: 'Add story' })).toHaveAccessibleDescription(
      texts.strip.pending,
    )
  }
  await second.close()
  await page.goto('about:blank')
  await context.setOffline(false)

  const online = Date.now()
  const refusal = { status: 403, json: { code: '42501', message: 'Not now' } }
  const undo = await answerWith(page, STORIES, refusal, { method: 'POST' })
  problems.expect(/status of 403/, /share story: forbidden/)
  await page.goto('/')
  await expect(pendingStories(page)).toContainText('Could not be sent.')
  await problems.arrived()
  await undo()
  expect(await storedStories(member)).toEqual([])
  await pendingStories(page).getByRole('button', { name: 'Edit' }).click()
  await expect(photo(page)).toBeVisible()
  await expect(caption(page)).toHaveValue('In the tunnel')
  await expect(pendingStories(page)).toHaveCount(0)
  await caption(page).fill('Out of the tunnel')
  await share(page).click()
  await expect(form(page)).toHaveCount(0)
  const stories = await storedStories(member)
  expect(stories.map(({ content }) => content)).toEqual(['Out of the tunnel'])
  const [{ created_at, expires_at } = { created_at: '', expires_at: '' }] = stories
  expect(Date.parse(created_at)).toBeGreaterThanOrEqual(online)
  expect(Date.parse(expires_at) - Date.parse(created_at)).toBe(24 * 60 * 60 * 1_000)
  await expect(page.getByRole('button', { name: 'Your story' })).toBeVisible()
})

/** Shares a video of 45 seconds, and compares what `reader` downloads with the file. */
async function shareVideo(page: Page, member: Member, reader: Member, path: string): Promise<Buffer> {
  await page.goto('/?story=new')
  await choose(page, 'video', path)
  await expect(video(page)).toBeVisible({ timeout: 120_000 })
  await expect(form(page).getByText(makeStory.firstSeconds)).toBeVisible()
  await expect.poll(() => videoState(page)).toEqual({ isMuted: true, isPlaying: true, duration: 45 })
  await form(page).getByRole('button', { name: 'Turn sound on' }).click()
  expect(await videoState(page)).toMatchObject({ isMuted: false })
  await caption(page).fill(' \n ')
  await share(page).click()
  await expect(form(page)).toHaveCount(0, { timeout: 120_000 })
  const [story] = await storedStories(member, reader)
  expect(story).toMatchObject({
    media_type: 'video',
    content: null,
    media_width: 180,
    media_height: 320,
    duration_ms: 45_000,
  })
  expect(story?.media?.startsWith('data:video/mp4;base64,')).toBe(true)
  expect(story?.small).toMatch(/^data:image\/(webp|jpeg);base64,/)
  const stored = fileOf(story?.media ?? null)
  expect(tracesIn(stored)).toEqual([])
  expect(await tracksOf(stored)).toEqual(await tracksOf(await readFile(path)))
  return stored
}

test('STORY-01 STORY-03 STORY-11 shares a video: 15 seconds of 45, muted by default, with a thumbnail, without metadata, and null for an empty caption', {
  tag: '@steps',
}, async ({ page, member, openAs, newMember }) => {
  const reader = await newMember()
  const place = box('udta', box('\xa9xyz', '\0\x19\x15\xc7+48.1370+011.5750+520.000/'), box('name', 'iPhone'))
  const tagged = await changedMp4('forty-five-seconds.mp4', { created: 3_863_153_472, metadata: place })
  expect(tracesIn(tagged).length).toBeGreaterThan(3)
  await shareVideo(page, member, reader, await file('tagged.mp4', tagged))

  await longStep('another member watches it, with sound on demand', async () => {
    const guest = await openAs(reader)
    await showStoriesOf(guest, [member])
    await guest.clock.install()
    await guest.goto('/')
    await bubble(guest, member.username).click()
    const progress = () => guest.getByRole('progressbar').getAttribute('aria-valuenow').then(Number)
    await expect.poll(progress).toBeGreaterThan(0)
    await expect.poll(() => videoState(guest)).toMatchObject({ isMuted: true, isPlaying: true })
    await guest.keyboard.press('m')
    await expect(guest.getByRole('button', { name: 'Turn sound off' })).toBeVisible()
    await guest.getByRole('button', { name: 'Pause' }).click()
    await expect.poll(() => videoState(guest)).toMatchObject({ isMuted: false, isPlaying: false })
    const before = await progress()
    await guest.keyboard.press('ArrowRight')
    await expect.poll(progress).toBe(before + 20)
    // The video seeks too, by a fifth of 15 seconds.
    await expect
      .poll(() => guest.locator('video').evaluate((video: HTMLVideoElement) => video.currentTime))
      .toBeGreaterThan(2.9)
    for (let presses = 0; presses < 4; presses += 1) await guest.keyboard.press('ArrowRight')
    await expect(guest.getByRole('dialog')).toHaveCount(0)
    // The sound stays on for the next story.
    await bubble(guest, member.username).click()
    await expect(guest.getByRole('button', { name: 'Turn sound off' })).toBeVisible()
    expect(await videoState(guest)).toMatchObject({ isMuted: false })
  })
})

const packetsOf = ({ packets }: { packets: [at: number, hash: string][] }) => packets

test('STORY-11 what another member downloads of a WebM has no place, names and times, and a hidden start is gone', {
  tag: '@long',
}, async ({ page, member, newMember }) => {
  const reader = await newMember()
  const path = videoPath('place-tags.webm')
  await page.goto('/?story=new')
  await choose(page, 'video', path)
  await expect(video(page)).toBeVisible()
  await share(page).click()
  await expect(form(page)).toHaveCount(0)
  const stored = async () => {
    const stories = await storedStories(member, reader)
    return Promise.all(
      stories.map(async ({ media, duration_ms }) => {
        const bytes = fileOf(media)
        return { duration_ms, traces: tracesIn(bytes), packets: (await tracksOf(bytes)).map(packetsOf) }
      }),
    )
  }
  const source = await tracksOf(await readFile(path))
  const whole = { duration_ms: 2_000, traces: [], packets: source.map(packetsOf) }
  expect(await stored()).toEqual([whole])

  // Three seconds after the first key frame, so that the pictures are encoded again.
  const hidden = await changedMp4('forty-five-seconds.mp4', { edits: [[[2, 3]]] })
  await page.goto('/?story=new')
  await choose(page, 'video', await file('hidden.mp4', hidden))
  await expect(video(page)).toBeVisible()
  await expect.poll(() => videoState(page)).toMatchObject({ isPlaying: true, duration: 2 })
  await share(page).click()
  await expect(form(page)).toHaveCount(0)
  const [encoded] = (await stored()).filter(({ packets }) => packets[0]?.length === 10)
  expect(encoded).toMatchObject({ duration_ms: 2_000, traces: [] })
  expect(encoded?.packets[0]?.[0]?.[0]).toBe(0)
})

test('STORY-01 shares a video of the maximum size', { tag: ['@long', '@server'] }, async ({
  page,
  member,
  newMember,
}) => {
  test.slow()
  const path = await file('large.mp4', await enlargedMp4(20 * 1024 * 1024))
  const stored = await shareVideo(page, member, await newMember(), path)
  expect(stored.length).toBeGreaterThan(20 * 1024 * 1024 - 10_000)
})

/** Chooses files that are refused: each shows its message, and another file can be chosen. */
async function expectRefused(page: Page, refused: readonly Refused[]): Promise<void> {
  for (const [what, kind, path, message] of refused) {
    await choose(page, kind, path)
    await expect(page.getByRole('alert'), what).toHaveText(refusedFile(path, message))
    await expect(share(page), what).toHaveCount(0)
  }
  await expect(page).toHaveTitle(/Vignette/)
}

type Refused = [what: string, kind: 'photo' | 'video', path: string, message: string]

test('STORY-08 refuses half a video, one that this computer cannot decode and a file of another type with a message; another file can be chosen', {
  tag: '@long',
}, async ({ page, member }) => {
  const forty = await readFile(videoPath('forty-five-seconds.mp4'))
  await page.goto('/?story=new')
  await expectRefused(page, [
    ['half', 'video', await file('half.mp4', forty.subarray(0, 6_000)), texts.media['video-incomplete']],
    ['HEVC', 'video', videoPath('kinds/hevc.mov'), texts.media['video-hevc']],
    ['text', 'photo', photoPath('notes.jpg'), texts.media['not-media']],
  ])

  await test.step('recordings without a duration and short videos are accepted', async () => {
    // A recording without a duration is accepted; a video of 3 seconds shows no hint about 15 seconds.
    for (const name of ['no-length.webm', 'three-seconds.webm'] as const) {
      await choose(page, 'video', videoPath(name))
      await expect(video(page), name).toBeVisible()
      await expect(page.getByRole('alert')).toHaveCount(0)
      await expect(form(page).getByText(makeStory.firstSeconds)).toHaveCount(0)
      await page.getByRole('button', { name: makeStory.change }).click()
    }
  })
  await expect(page.getByRole('button', { name: makeStory.choosePhoto })).toBeVisible()
  expect(await storedStories(member)).toEqual([])
})

test('STORY-08 refuses damaged and empty files and files of another format with a message', {
  tag: '@long',
}, async ({ page, member }) => {
  test.slow()
  const script = '<svg xmlns="http://www.w3.org/2000/svg"><script>document.title = "run"</script></svg>'
  const forty = await readFile(videoPath('forty-five-seconds.mp4'))
  const damaged = Buffer.from(forty).fill(0xff, forty.indexOf('stsd') + 4, forty.indexOf('stts') - 4)
  const refused: Refused[] = [
    ['cut off', 'video', await file('cut.mp4', forty.subarray(0, 600)), texts.media['video-incomplete']],
    ['damaged', 'video', await file('damaged.mp4', damaged), texts.media['video-broken']],
    [
      '81 megapixels',
      'video',
      await file('huge.webm', await hugeVideo()),
      texts.media['video-too-many-pixels'],
    ],
    [
      '144 megapixels from the middle on',
      'video',
      await file('grown.mp4', await grownMp4(sequence(750, 750))),
      texts.media['video-too-many-pixels'],
    ],
    ['1 GB', 'video', await largeFile('large.mp4', forty), texts.media['video-too-large']],
    ['no pictures', 'video', videoPath('sound-only.webm'), texts.media['video-no-pictures']],
    ['MPEG-2', 'video', videoPath('kinds/mpeg-2.mpegts'), texts.media['video-undecodable']],
    [
      'AVI',
      'video',
      await file('old.avi', Buffer.from('RIFF\0\0\0\0AVI LIST')),
      texts.media['video-container'],
    ],
    ['half of a HEIC', 'photo', photoPath('iphone.heic'), texts.media.broken],
    ['210 MB', 'photo', await file('huge.jpg', Buffer.alloc(210_000_000, 1)), texts.media['too-large']],
    ['zero bytes', 'photo', await file('nothing.jpg', Buffer.alloc(0)), texts.media.empty],
    ['SVG with a script', 'photo', await file('drawing.svg', Buffer.from(script)), texts.media.unsupported],
    ['text', 'photo', photoPath('notes.jpg'), texts.media['not-media']],
    ['damaged picture', 'photo', photoPath('cut-off.jpg'), texts.media.broken],
  ]
  await page.goto('/?story=new')
  await expectRefused(page, refused)
  expect(await storedStories(member)).toEqual([])
})

test('STORY-01 accepts a dropped and a pasted file', { tag: '@long' }, async ({ page, context, member }) => {
  await page.goto('/?story=new')
  await expect(page.getByRole('button', { name: makeStory.choosePhoto })).toBeVisible()
  await dropFile(page, videoPath('three-seconds.webm'), () =>
    expect(page.getByText(makeStory.dropHere)).toBeVisible(),
  )
  await expect(video(page)).toBeVisible()
  await page.getByRole('button', { name: makeStory.change }).click()

  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.evaluate(
    async (source) => {
      const bytes = Uint8Array.from(atob(source), (character) => character.charCodeAt(0))
      await navigator.clipboard.write([
        new ClipboardItem({ 'image/png': new Blob([bytes], { type: 'image/png' }) }),
      ])
    },
    colour(200, 60, 60).toString('base64'),
  )
  await page.keyboard.press('ControlOrMeta+V')
  await expect(photo(page)).toBeVisible()
  expect(await storedStories(member)).toEqual([])
})

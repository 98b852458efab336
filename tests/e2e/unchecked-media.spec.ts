import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { texts } from '#/renderer/lib/texts'
import { h264Mp4, sequence } from '#tests/mp4-files'
import { animatedPng, progressiveJpeg } from '#tests/picture-files'
import { photoPath } from './fixtures/photos'
import { paddedMp4, viewer } from './fixtures/stories'
import { storedWebm, videoPath } from './fixtures/videos'
import { withoutChecks } from './support/network'
import { noisePng } from './support/png'
import { expect, type Member, test } from './support/test'

const OBJECTS = /\/storage\/v1\/object\/sign\/media\/.+\?token=/
const THUMBHASH = '1QcSHQRnh493V4dIh4eXh1h4kJUI'

async function upload(author: Member, name: string, content: Buffer, type: string): Promise<string> {
  const path = `${author.id}/${crypto.randomUUID()}.${name}`
  const { error } = await author.api.storage.from('media').upload(path, content, { contentType: type })
  if (error) throw error
  return path
}

interface Paths {
  full: string
  feed: string
  grid: string
}

async function post(author: Member, { full, feed, grid }: Paths, altText: string): Promise<string> {
  const id = crypto.randomUUID()
  const photo = { full_path: full, feed_path: feed, grid_path: grid, width: 1_400, height: 1_000 }
  const photos = [{ ...photo, thumbhash: THUMBHASH, alt_text: altText }]
  await author.api.rpc('create_post', { post_id: id, content: altText, media: photos }).throwOnError()
  return id
}

/** The objects of a member that a page has requested: by what, and their names. */
function followObjects(page: Page, author: Member): string[] {
  const requests: string[] = []
  page.on('request', (request) => {
    const [, name] = new RegExp(`${author.id}/([^?]+)\\?token=`).exec(request.url()) ?? []
    if (name !== undefined) requests.push(`${request.resourceType()} ${name}`)
  })
  return requests
}

const nameOf = (path: string) => path.slice(path.indexOf('/') + 1)

test('MEDIA-07 what the server has not checked is read once and checked by the app; what would freeze it is not shown, and the rest works', async ({
  page,
  member: _,
  newMember,
  problems,
}) => {
  const author = await newMember()
  const png = (side: number) => noisePng(side, side)
  const avatar = await upload(author, 'png', png(20), 'image/png')
  await author.api.from('profiles').update({ avatar_path: avatar }).eq('id', author.id).throwOnError()
  const sizes = {
    full: await upload(author, 'png', png(120), 'image/png'),
    feed: await upload(author, 'png', png(80), 'image/png'),
    grid: await upload(author, 'png', png(40), 'image/png'),
  }
  await post(author, sizes, 'Waves')
  const jpeg = await upload(author, 'jpg', await readFile(photoPath('orientation-1.jpg')), 'image/jpeg')
  await post(author, { full: jpeg, feed: jpeg, grid: jpeg }, 'Freeze')
  const animated = `data:image/png;base64,${Buffer.from(animatedPng({ width: 8, height: 8 })).toString('base64')}`
  await author.api
    .from('posts')
    .insert({
      user_id: author.id,
      content: 'Strobe',
      image_url: animated,
      thumbnail_url: animated,
      image_width: 800,
      image_height: 800,
      alt_text: 'Strobe',
    })
    .throwOnError()

  await withoutChecks(page)
  const bomb = Buffer.from(progressiveJpeg({ width: 4_096, height: 4_096 }, 20_000))
  await page.route(OBJECTS, (route) =>
    route.request().url().includes(nameOf(jpeg))
      ? route.fulfill({ contentType: 'image/jpeg', body: bomb })
      : route.fallback(),
  )
  const requests = followObjects(page, author)
  await page.goto('/')
  const card = (text: string) => page.getByRole('article').filter({ hasText: text })
  const waves = card('Waves').getByRole('img', { name: 'Waves' })
  await expect(waves).toHaveAttribute('src', /^blob:/)
  // The size for its width on the page, and no other.
  await expect(waves).toHaveJSProperty('naturalWidth', 40)
  await expect(card('Waves').locator('img[alt=""]').first()).toHaveAttribute('src', /^blob:/)
  for (const text of ['Freeze', 'Strobe']) {
    await expect(card(text).getByText(texts.pictureNotShown)).toBeVisible()
    await expect(card(text).getByRole('img', { name: text })).toBeVisible()
  }

  // The page responds: the post is liked, and its author can be muted.
  await card('Freeze').getByRole('button', { name: texts.post.like, exact: true }).click()
  await card('Freeze').getByRole('button', { name: texts.post.options }).click()
  await expect(page.getByRole('menuitem', { name: texts.safety.mute })).toBeVisible()
  await page.keyboard.press('Escape')

  // Other pages show the same files, also with a new link, and load only what they need in another size.
  await card('Waves').getByRole('link', { name: author.username }).first().click()
  const cell = page.getByRole('main').getByRole('img', { name: 'Waves' })
  await expect(cell).toHaveJSProperty('naturalWidth', 40)
  await cell.click()
  await page.getByRole('button', { name: texts.post.zoom }).click()
  const zoomed = page.getByRole('dialog').getByRole('img', { name: 'Waves' })
  await expect(zoomed).toHaveJSProperty('naturalWidth', 120)
  // The neighbour on the light table is read ahead in its large size, which is the same object here.
  const expected = [avatar, sizes.grid, sizes.full, jpeg, jpeg].map((path) => `fetch ${nameOf(path)}`)
  await expect.poll(() => requests.toSorted()).toEqual(expected.toSorted())

  // Nothing stays in memory after the member has left.
  const url = await zoomed.getAttribute('src')
  const isLoadable = () =>
    page.evaluate(async (source) => {
      const image = new Image()
      image.src = source ?? ''
      return image.decode().then(
        () => true,
        () => false,
      )
    }, url)
  expect(await isLoadable()).toBe(true)
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: texts.nav.account }).click()
  await page.getByRole('menuitem', { name: texts.nav.signOut }).click()
  await expect(page).toHaveURL('/login')
  problems.expect(/ERR_FILE_NOT_FOUND/)
  expect(await isLoadable()).toBe(false)
})

test('MEDIA-07 what the server has checked is loaded by the page itself, once, from its link', async ({
  page,
  member: _,
  newMember,
}) => {
  const author = await newMember()
  const path = await upload(author, 'png', noisePng(64, 1), 'image/png')
  await post(author, { full: path, feed: path, grid: path }, 'Dunes')
  const requests = followObjects(page, author)
  await page.goto('/')
  const dunes = page.getByRole('article').getByRole('img', { name: 'Dunes' })
  await expect(dunes).toHaveAttribute('srcset', /\?token=/)
  await expect(dunes).not.toHaveJSProperty('naturalWidth', 0)
  expect(requests).toEqual([`image ${nameOf(path)}`])
})

test('MEDIA-07 a video that the server has not checked is read once, and shown after all of it is checked', async ({
  page,
  member: _,
  newMember,
}) => {
  const author = await newMember()
  const story = async (video: Buffer, caption: string) => {
    const media_path = await upload(author, 'mp4', video, 'video/mp4')
    const poster_path = await upload(author, 'png', noisePng(32, 1), 'image/png')
    const size = { media_width: 180, media_height: 320, duration_ms: 45_000 }
    await author.api
      .from('stories')
      .insert({ user_id: author.id, media_type: 'video', media_path, poster_path, content: caption, ...size })
      .throwOnError()
    return media_path
  }
  const [fake, grown] = [
    await story(await paddedMp4(100_000), 'Not a video'),
    await story(await paddedMp4(200_000), 'Grows'),
  ]
  const whole = await story(await paddedMp4(3_000_000), 'A video')
  await withoutChecks(page)
  const [small, large] = [sequence(20, 15), sequence(750, 750)]
  const bodies = { [fake]: '<html></html>', [grown]: Buffer.from(h264Mp4({ samples: [[small], [large]] })) }
  await page.route(OBJECTS, (route) => {
    const [, body] =
      Object.entries(bodies).find(([path]) => route.request().url().includes(nameOf(path))) ?? []
    return body === undefined ? route.fallback() : route.fulfill({ contentType: 'video/mp4', body })
  })
  const requests = followObjects(page, author)
  await page.goto(`/profile/${author.username}`)
  await page.getByRole('button', { name: texts.stories.ofMember(author.username) }).click()
  const shown = viewer(page, author.username)
  for (const caption of ['Not a video', 'Grows']) {
    await expect(shown.getByText(caption)).toBeVisible()
    await expect(shown.getByText(texts.stories.notShown)).toBeVisible()
    await expect(shown.locator('video')).toHaveCount(0)
    await page.getByRole('button', { name: texts.stories.next, exact: true }).click()
  }
  const video = shown.locator('video')
  await expect(video).toHaveAttribute('src', /^blob:/)
  await expect(video).toHaveAttribute('poster', /^blob:/)
  await expect
    .poll(() => video.evaluate((element: HTMLVideoElement) => element.currentTime))
    .toBeGreaterThan(0)
  for (const path of [fake, grown, whole])
    expect(requests.filter((each) => each.endsWith(nameOf(path)))).toEqual([`fetch ${nameOf(path)}`])
})

test('MEDIA-07 a video that grows beyond the pixels that the app shows is stopped, also if its server has checked it', async ({
  page,
  member: _,
  newMember,
}) => {
  const author = await newMember()
  const video = await storedWebm('three-seconds.webm')
  const media_path = await upload(author, 'webm', video, 'video/webm')
  const grown = await readFile(videoPath('grows.webm'))
  await page.route(OBJECTS, (route) =>
    route.request().url().includes(nameOf(media_path))
      ? route.fulfill({ contentType: 'video/webm', body: grown })
      : route.fallback(),
  )
  await author.api
    .from('stories')
    .insert({ user_id: author.id, media_type: 'video', media_path, duration_ms: 60_000 })
    .throwOnError()
  await page.goto(`/profile/${author.username}`)
  await page.getByRole('button', { name: texts.stories.ofMember(author.username) }).click()
  const shown = viewer(page, author.username)
  await expect(shown.getByText(texts.stories.notShown)).toBeVisible()
  // Nothing is left that is decoded.
  await expect(shown.locator('video')).not.toHaveAttribute('src')
  await expect(shown.locator('video')).toHaveJSProperty('videoWidth', 0)
})

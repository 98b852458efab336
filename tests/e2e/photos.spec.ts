import type { Locator, Page } from '@playwright/test'
import { texts } from '#/renderer/lib/texts'
import { POST_PHOTOS } from '#/shared/limits'
import { boxOf, wholeBoxOf } from './support/boxes'
import { onDisk } from './support/disk-cache'
import { choosePhotos } from './support/files'
import { MOST_SHIFT, sumOf, watchShifts } from './support/layout-shifts'
import { longStep } from './support/long-step'
import { insertPhotoPost } from './support/photo-posts'
import { dataUrl, noisePng, png } from './support/png'
import { expect, type Member, test } from './support/test'

type Size = readonly [width: number, height: number]

function picture([width, height]: Size): Buffer {
  return png(width, height, (x, y) => [(x >> 2) % 256, (y >> 2) % 256, 120])
}

/** Inserts a post with a picture. Returns its id. */
async function post(author: Member, size: Size): Promise<string> {
  const id = crypto.randomUUID()
  await author.api
    .from('posts')
    .insert({
      id,
      user_id: author.id,
      image_url: dataUrl(picture(size)),
      thumbnail_url: dataUrl(noisePng(16, 1)),
      image_width: size[0],
      image_height: size[1],
    })
    .throwOnError()
  return id
}

/** The size of an element, in whole pixels. */
async function sizeOf(element: Locator): Promise<{ width: number; height: number }> {
  const { width, height } = await wholeBoxOf(element)
  return { width, height }
}

const chooseSize = (page: Page, size: Size) =>
  choosePhotos(page, { name: 'a.png', mimeType: 'image/png', buffer: picture(size) })

test('FEED-14 the feed shows every photo whole and at most twice its size, as the composer does', {
  tag: '@steps',
}, async ({ page, member }) => {
  await page.setViewportSize({ width: 1_280, height: 720 })
  const shapes: readonly { size: Size; shown: { width: number; height: number } }[] = [
    { size: [300, 900], shown: { width: 165, height: 496 } },
    { size: [64, 48], shown: { width: 128, height: 96 } },
  ]
  const otherShapes: typeof shapes = [
    { size: [900, 900], shown: { width: 496, height: 496 } },
    { size: [1_200, 200], shown: { width: 600, height: 100 } },
  ]
  const expectShown = async (size: Size, shown: { width: number; height: number }) => {
    const id = await post(member, size)
    await page.goto('/')
    const photo = page.locator(`[data-post="${id}"]`).getByRole('img')
    await expect(photo).toHaveJSProperty('naturalWidth', size[0])
    expect(await sizeOf(photo), size.join(' x ')).toEqual(shown)
  }
  for (const { size, shown } of shapes) await expectShown(size, shown)
  await longStep('of other shapes', async () => {
    for (const { size, shown } of otherShapes) await expectShown(size, shown)
  })

  await test.step('FEED-21 a whole photo, its author and its buttons fit the window, as the first post and after it', async () => {
    const first = await post(member, [600, 1_200])
    const card = page.locator(`[data-post="${first}"]`)
    const like = card.getByRole('button', { name: 'Like', exact: true })
    const expectWhole = async (width: number, height: number) => {
      await page.setViewportSize({ width, height })
      await page.goto('/')
      await expect(card.getByRole('img')).toHaveJSProperty('naturalWidth', 600)
      await expect(like).toBeInViewport({ ratio: 1 })
      expect(await page.evaluate(() => window.scrollY)).toBe(0)
      expect((await sizeOf(card.getByRole('img'))).height).toBeLessThanOrEqual(height * 0.84 + 1)
    }
    await expectWhole(900, 640)
    await longStep('in larger windows', async () => {
      await expectWhole(1_280, 860)
      await expectWhole(2_560, 1_440)
    })
    await page.setViewportSize({ width: 1_280, height: 860 })
    const newest = await insertPhotoPost(member, [{ size: [300, 300] }])
    await page.goto('/')
    // The feed from the disk, without it, is there first.
    await expect(page.locator(`[data-post="${newest}"]`)).toBeVisible()
    await expect(like).toBeVisible()
    await page.keyboard.press('j')
    await page.keyboard.press('j')
    await expect(card).toBeFocused()
    expect((await sizeOf(card.getByRole('img'))).height).toBe(Math.round(860 * 0.84))
    await expect(like).toBeInViewport({ ratio: 1 })
    await expect(card.getByRole('img')).toBeInViewport({ ratio: 1 })
    await page.setViewportSize({ width: 1_280, height: 720 })
  })

  await page.goto('/create')
  await chooseSize(page, [900, 900])
  const preview = page.getByRole('img', { name: texts.composer.previewAlt })
  await expect(preview).toBeVisible()
  const { width, height } = await sizeOf(preview)
  expect(height).toBe(width)
  expect(await sizeOf(preview.locator('..'))).toEqual({ width, height })
})

test('FEED-21 an upright photo is large beside any first photo of its post, and nothing moves from one to the next', {
  tag: '@long',
}, async ({ page, member }) => {
  const id = await insertPhotoPost(member, [
    { size: [1_800, 600], altText: 'The panorama' },
    { size: [800, 1_000], altText: 'The upright one' },
  ])
  await page.goto('/')
  const card = page.locator(`[data-post="${id}"]`)
  const caption = card.getByRole('button', { name: 'Like', exact: true })
  const panorama = card.getByRole('img', { name: 'The panorama' })
  await expect(panorama).toHaveJSProperty('complete', true)
  expect(await sizeOf(panorama)).toEqual({ width: 600, height: 200 })
  const before = await boxOf(caption)
  await card.getByRole('button', { name: texts.post.nextPhoto }).click()
  const upright = card.getByRole('img', { name: 'The upright one' })
  await expect(upright).toBeInViewport({ ratio: 0.99 })
  expect((await sizeOf(upright)).height).toBeGreaterThanOrEqual(350)
  expect(await boxOf(caption)).toEqual(before)
  // Each photo begins where its author and caption do.
  const author = await boxOf(card.getByRole('banner').or(card.locator('header')))
  expect(Math.abs((await boxOf(upright)).x - author.x)).toBeLessThanOrEqual(1)
})

const FOUR_PHOTOS: Parameters<typeof insertPhotoPost>[1] = [
  { size: [900, 600], altText: 'The first' },
  { size: [300, 600], altText: 'The second' },
  { size: [600, 600] },
  { size: [600, 300] },
]

test('FEED-14 several photos of a post share one frame, and keys, buttons and swipes lead through them', async ({
  page,
  member,
}) => {
  const id = await insertPhotoPost(member, FOUR_PHOTOS)
  await page.goto('/')
  const card = page.locator(`[data-post="${id}"]`)
  const { photoOf } = texts.post

  await test.step('in the feed', async () => {
    const photos = card.getByRole('group', { name: photoOf(1, 4) })
    await expect(card.getByRole('img', { name: 'The first' })).toHaveJSProperty('complete', true)
    // Only the next photo is loaded ahead.
    await expect(card.locator('img[srcset]')).toHaveCount(2)
    const frame = await sizeOf(photos)
    await expect(card.getByRole('button', { name: texts.post.previousPhoto })).toHaveAttribute(
      'aria-disabled',
      'true',
    )
    await card.getByRole('button', { name: texts.post.nextPhoto }).click()
    await expect(card.getByRole('group', { name: photoOf(2, 4) })).toBeVisible()
    await expect(card.getByText(photoOf(2, 4))).toHaveAttribute('aria-live', 'polite')
    const second = card.getByRole('img', { name: 'The second' })
    await expect(second).toBeInViewport({ ratio: 0.99 })
    await expect(card.getByRole('img', { name: 'The first' })).not.toBeInViewport()
    expect((await sizeOf(second)).height).toBe(frame.height)
    expect(await sizeOf(card.getByRole('group', { name: photoOf(2, 4) }))).toEqual(frame)

    await page.keyboard.press('ArrowRight')
    await expect(card.getByRole('group', { name: photoOf(3, 4) })).toBeVisible()
    await page.keyboard.press('k')
    await expect(card).toBeFocused()
    await page.keyboard.press('ArrowLeft')
    await expect(second).toBeInViewport({ ratio: 0.99 })

    await second.hover()
    await page.mouse.wheel(400, 0)
    await expect(card.getByRole('group', { name: photoOf(3, 4) })).toBeVisible()
  })

  await test.step('the composer shows each in the frame of the first one too', async () => {
    await page.goto('/create')
    await chooseSize(page, [900, 600])
    const preview = page.getByRole('img', { name: texts.composer.previewAlt })
    await expect(preview).toHaveAttribute('width', '900')
    const frame = await sizeOf(preview.locator('..'))
    await chooseSize(page, [300, 600])
    await expect(preview).toHaveAttribute('width', '300')
    expect(await sizeOf(preview.locator('..'))).toEqual(frame)
    expect((await sizeOf(preview)).height).toBe(frame.height)
  })

  await test.step('a profile marks the post', async () => {
    await page.goto(`/profile/${member.username}`)
    await expect(page.getByRole('link', { name: `The first ${texts.post.photos(4)}` })).toBeVisible()
  })
})

test('FEED-14 PROF-13 an open post starts at the same photo, and beyond its first one the arrow leads to the neighbouring post', {
  tag: '@long',
}, async ({ page, member }) => {
  const id = await insertPhotoPost(member, FOUR_PHOTOS)
  const neighbour = await insertPhotoPost(member, [{ size: [60, 60] }])
  await page.goto('/')
  const card = page.locator(`[data-post="${id}"]`)
  const { photoOf } = texts.post
  await expect(page.locator(`[data-post="${neighbour}"]`)).toBeVisible()
  await card.getByRole('button', { name: texts.post.nextPhoto }).click()
  await expect(card.getByRole('group', { name: photoOf(2, 4) })).toBeVisible()
  await card
    .getByRole('link')
    .filter({ has: page.getByRole('time') })
    .click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('img', { name: 'The second' })).toBeInViewport({ ratio: 0.99 })
  await page.keyboard.press('ArrowLeft')
  await expect(dialog.getByRole('img', { name: 'The first' })).toBeInViewport({ ratio: 0.99 })
  await expect(dialog.getByRole('group', { name: photoOf(1, 4) })).toBeVisible()
  await page.keyboard.press('ArrowLeft')
  await expect(page).toHaveURL(`/?post=${neighbour}`)
  await page.keyboard.press('ArrowRight')
  await expect(page).toHaveURL(`/?post=${id}`)
  await page.keyboard.press('Escape')
  await expect(card.getByRole('img', { name: 'The first' })).toBeInViewport()

  await test.step('PROF-13 the author edits the alt text of each', async () => {
    await card.getByRole('button', { name: texts.post.options }).click()
    await page.getByRole('menuitem', { name: texts.post.editPost }).click()
    const form = page.getByRole('dialog', { name: texts.post.editPost })
    await expect(form.getByRole('textbox', { name: texts.post.altOf(1, 4) })).toHaveValue('The first')
    await form.getByRole('textbox', { name: texts.post.altOf(3, 4) }).fill('The third')
    await form.getByRole('button', { name: texts.post.saveChanges }).click()
    await expect(form).toHaveCount(0)
    const stored = member.api.from('post_media').select('alt_text').eq('post_id', id).order('position')
    expect((await stored.throwOnError()).data.map(({ alt_text }) => alt_text)).toEqual([
      'The first',
      'The second',
      'The third',
      null,
    ])
  })
})

test('FEED-14 a post opened by its address has all of its ten photos', {
  tag: '@long',
}, async ({ page, member }) => {
  const photos = Array.from({ length: POST_PHOTOS }, () => ({ size: [60, 40] as const }))
  const id = await insertPhotoPost(member, photos)
  await page.goto(`/settings?post=${id}`)
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('region', { name: texts.post.photos(POST_PHOTOS) })).toBeVisible()
})

for (const path of ['/', '/settings'])
  test(`FEED-14 an address opens a post over ${path} without moving it`, {
    tag: path === '/' ? [] : '@long',
  }, async ({ page, member: _reader, newMember }) => {
    const author = await newMember()
    const id = await insertPhotoPost(author, [{ size: [600, 1_200], altText: 'A tower' }], 'In fog')
    const shifted = await watchShifts(page)
    await page.goto(`${path}?post=${id}`)
    const photo = page.getByRole('dialog').getByRole('img', { name: 'A tower' })
    await expect(photo).toHaveCSS('background-image', 'none')
    expect(sumOf(await shifted())).toBeLessThanOrEqual(MOST_SHIFT)
  })

test('MEDIA-02 a profile that was viewed before opens without a layout shift', {
  tag: '@long',
}, async ({ page, member: _reader, newMember }) => {
  const author = await newMember()
  for (const altText of ['A tower', 'A bridge', 'A mill', 'A lock'])
    await insertPhotoPost(author, [{ size: [600, 1_200], altText }])
  const shifted = await watchShifts(page)
  const photo = page.getByRole('img', { name: 'A lock' })
  for (const visit of ['first', 'second']) {
    await page.goto(`/profile/${author.username}`)
    await expect(photo).toHaveCSS('background-image', 'none')
    await expect(page.getByRole('button', { name: 'Follow', exact: true })).toBeEnabled()
    expect(sumOf(await shifted()), `${visit} visit`).toBeLessThanOrEqual(MOST_SHIFT)
    const stored = [`["profile","${author.username}"]`, `["grid","posts","${author.id}"]`]
    await expect.poll(() => onDisk(page)).toEqual(expect.arrayContaining(stored))
  }
})

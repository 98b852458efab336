import type { Locator, Page } from '@playwright/test'
import { texts } from '#/renderer/lib/texts'
import { lightTable } from '#/renderer/lib/texts/later/light-table'
import { wholeBoxOf } from './support/boxes'
import { nextFrames } from './support/frames'
import { MOST_SHIFT, sumOf, watchShifts } from './support/layout-shifts'
import { longStep } from './support/long-step'
import { failRequests, holdRequests } from './support/network'
import { insertPhotoPost } from './support/photo-posts'
import { expect, test } from './support/test'
import { visit } from './support/visit'

/** The open light table. */
function table(page: Page): Locator {
  return page.locator('[data-light-table]')
}

function photo(page: Page, name: string): Locator {
  return table(page).getByRole('img', { name })
}

/** Opens a post of the feed, by its time. */
async function openFromFeed(page: Page, id: string): Promise<void> {
  await page.locator(`[data-post="${id}"]`).getByRole('time').first().click()
  await expect(table(page)).toBeVisible()
}

const PANEL = 360

test('FEED-20 MEDIA-08 a photo fits first, zooms to 100 and 200 % at the pointer, and moves by drag and keys', async ({
  page,
  member,
}) => {
  const id = await insertPhotoPost(member, [{ size: [1_840, 1_720], altText: 'Dunes' }])
  await page.goto('/')
  const feed = await wholeBoxOf(page.locator(`[data-post="${id}"]`).getByRole('img', { name: 'Dunes' }))
  await openFromFeed(page, id)
  const dunes = photo(page, 'Dunes')
  const box = () => wholeBoxOf(dunes)
  const stage = { width: 1_280 - PANEL, height: 860 }
  const fitted = { x: 0, y: 0, width: 920, height: 860 }
  await expect.poll(box).toEqual(fitted)
  expect(fitted.width).toBeGreaterThanOrEqual(feed.width)
  // Nothing of the page is visible behind it.
  expect(await wholeBoxOf(table(page))).toEqual({ x: 0, y: 0, width: 1_280, height: 860 })
  await expect(table(page)).toHaveCSS('background-color', 'rgb(14, 14, 14)')

  await test.step('a double click zooms at the pointer, and again, and back', async () => {
    // A quarter of the photo from its middle in each direction.
    await page.mouse.dblclick(230, 645)
    await expect.poll(box).toEqual({ x: -230, y: -645, width: 1_840, height: 1_720 })
    await expect(table(page).getByRole('status').filter({ hasText: '%' })).toHaveText(lightTable.percent(1))
    await page.mouse.dblclick(230, 645)
    await expect.poll(box).toEqual({ x: -690, y: -1_935, width: 3_680, height: 3_440 })
    await page.mouse.dblclick(230, 645)
    await expect.poll(box).toEqual(fitted)
  })

  await test.step('arrow keys and drags move it to its edges, and Escape fits it again', async () => {
    await page.mouse.move(460, 430)
    await page.keyboard.press('+')
    await expect.poll(box).toMatchObject({ x: -460, y: -430 })
    await page.keyboard.press('ArrowRight')
    await expect.poll(async () => (await box()).x).toBe(-540)
    await page.keyboard.press('ArrowUp')
    await expect.poll(async () => (await box()).y).toBe(-350)
    await page.mouse.down()
    await page.mouse.move(500, 400, { steps: 4 })
    await page.mouse.up()
    await expect.poll(box).toMatchObject({ x: -500, y: -380 })
    await page.mouse.down()
    await page.mouse.move(1_270, 850, { steps: 4 })
    await page.mouse.up()
    await expect.poll(box).toMatchObject({ x: 0, y: 0, width: 1_840 })
    await expect(page).toHaveURL(`/?post=${id}`)
    await page.keyboard.press('-')
    await expect.poll(box).toEqual(fitted)
    await page.keyboard.press('+')
    await page.keyboard.press('+')
    await expect.poll(async () => (await box()).width).toBe(3_680)
    await page.keyboard.press('Escape')
    await expect.poll(box).toEqual(fitted)
  })

  await test.step('the wheel zooms between both ends, with and without Ctrl, and not the page', async () => {
    await page.mouse.move(460, 430)
    await page.mouse.wheel(0, -100)
    await expect.poll(async () => (await box()).width).toBeGreaterThan(1_000)
    await page.keyboard.down('Control')
    for (let turn = 0; turn < 12; turn += 1) await page.mouse.wheel(0, -100)
    await page.keyboard.up('Control')
    await expect.poll(async () => (await box()).width).toBe(3_680)
    for (let turn = 0; turn < 20; turn += 1) await page.mouse.wheel(0, 100)
    await expect.poll(box).toEqual(fitted)
    expect(await page.evaluate(() => [innerWidth, visualViewport?.scale])).toEqual([1_280, 1])
  })

  await test.step('the buttons do the same, and i slides the panel away', async () => {
    await table(page).getByRole('button', { name: texts.post.zoom }).click()
    await expect.poll(async () => (await box()).width).toBe(1_840)
    await table(page).getByRole('button', { name: lightTable.fit }).click()
    await expect.poll(box).toEqual(fitted)
    const panel = table(page).getByRole('article')
    expect(await wholeBoxOf(panel)).toEqual({ x: stage.width, y: 0, width: PANEL, height: 860 })
    await expect(table(page).getByRole('button', { name: lightTable.details })).toHaveAttribute(
      'aria-pressed',
      'true',
    )
    await page.keyboard.press('i')
    await expect(panel).toHaveCount(0)
    await expect.poll(box).toEqual({ ...fitted, x: 180 })
    // Writing a comment needs it.
    await page.keyboard.press('c')
    await expect(panel.getByRole('textbox', { name: texts.post.commentPlaceholder })).toBeFocused()
    await page.keyboard.type('if+-')
    await expect.poll(box).toEqual(fitted)
  })
})

test('FEED-20 keys, buttons, filmstrip and slideshow lead through the photos and on to the neighbours, decoded ahead', {
  tag: '@steps',
}, async ({ page, member }) => {
  const last = await insertPhotoPost(member, [{ size: [80, 60], altText: 'Ferry' }])
  const several = await insertPhotoPost(member, [
    { size: [1_300, 700], altText: 'First' },
    { size: [1_300, 800], altText: 'Second' },
    { size: [1_300, 750], altText: 'Third' },
  ])
  const { data: objects } = await member.api
    .from('post_media')
    .select('full_path')
    .eq('post_id', several)
    .order('position')
    .throwOnError()
  const pier = await insertPhotoPost(member, [{ size: [60, 60], altText: 'Pier' }])
  const requested: string[] = []
  page.on('request', (request) => requested.push(request.url()))
  await page.goto(`/profile/${member.username}`)
  await page.getByRole('link', { name: 'Pier' }).click()
  await expect(photo(page, 'Pier')).toBeVisible()
  // The next two, in their large size, and no more.
  const isRead = () => objects.map(({ full_path: path }) => requested.some((url) => url.includes(path)))
  await expect.poll(isRead).toEqual([true, true, false])
  await nextFrames(page)
  expect(isRead()).toEqual([true, true, false])
  await expect(table(page).getByRole('button', { name: texts.post.previous })).toHaveCount(0)

  await test.step('forwards and backwards', async () => {
    const way = [
      ['First', several],
      ['Second', several],
      ['Third', several],
      ['Ferry', last],
    ] as const
    for (const [name, id] of way) {
      await page.keyboard.press('ArrowRight')
      await expect(photo(page, name)).toBeVisible()
      await expect(page).toHaveURL(new RegExp(`post=${id}`))
    }
    await expect(table(page).getByRole('button', { name: texts.post.next })).toHaveCount(0)
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowLeft')
    // Backwards, a post opens at its last photo.
    await expect(photo(page, 'Third')).toBeVisible()
    await table(page).getByRole('button', { name: texts.post.previousPhoto }).click()
    await expect(photo(page, 'Second')).toBeVisible()
  })

  await test.step('the filmstrip', async () => {
    const strip = table(page).getByRole('navigation', { name: lightTable.filmstrip })
    await expect(strip.getByRole('button')).toHaveCount(3)
    await expect(strip.getByRole('button', { name: texts.post.photoOf(2, 3) })).toHaveAttribute(
      'aria-current',
      'true',
    )
    await strip.getByRole('button', { name: texts.post.photoOf(1, 3) }).click()
    await expect(photo(page, 'First')).toBeVisible()
    await expect(table(page).getByText(texts.post.photoOf(1, 3))).toHaveAttribute('aria-live', 'polite')
  })

  await test.step('Back leads to the page after any number of steps, and to the post shown last', async () => {
    await page.goBack()
    await expect(table(page)).toHaveCount(0)
    await expect(page).toHaveURL(`/profile/${member.username}`)
    await expect(page.locator(`[data-item="${several}"]`).getByRole('link')).toBeFocused()
    await page.goForward()
    await expect(photo(page, 'First')).toBeVisible()
  })

  await longStep('the slideshow goes on by itself to the end', async () => {
    await table(page).focus()
    await expect(table(page).getByRole('button', { name: lightTable.play })).toBeVisible()
    await page.keyboard.press('Space')
    await expect(table(page).getByRole('button', { name: lightTable.stop })).toBeVisible()
    for (const name of ['Second', 'Third', 'Ferry']) await expect(photo(page, name)).toBeVisible()
    await expect(table(page).getByRole('button', { name: lightTable.stop })).toHaveCount(0)
  })

  await test.step('closed, it leads to the post shown last in the feed too, far from the first', async () => {
    await page.goto('/')
    await openFromFeed(page, pier)
    // Further posts may be newer than these.
    for (let steps = 0; steps < 6; steps += 1) await page.keyboard.press('ArrowRight')
    await expect(page).not.toHaveURL(new RegExp(`post=${pier}`))
    await nextFrames(page)
    // Playwright's own address may be that of an earlier press.
    const shown = await page.evaluate(() => new URLSearchParams(location.search).get('post'))
    await page.keyboard.press('Escape')
    const card = page.locator(`[data-post="${shown}"]`)
    await expect(card).toBeFocused()
    await expect(card).toBeInViewport()
    await expect(page.locator(`[data-post="${pier}"]`).getByRole('img')).not.toBeInViewport()
  })
})

test('FEED-20 a grid’s picture fills the final frame at once, on a slow server too, and nothing shifts', {
  tag: '@long',
}, async ({ page, member: _reader, newMember }) => {
  const author = await newMember()
  await insertPhotoPost(author, [{ size: [900, 600], altText: 'Harbour' }], 'Before the wind')
  const shifted = await watchShifts(page)
  await page.goto(`/profile/${author.username}`)
  const cell = page.getByRole('main').getByRole('img', { name: 'Harbour' })
  // Its placeholder is complete before it has a link.
  await expect(cell).toHaveAttribute('srcset', /.+/)
  await expect(cell).toHaveCSS('background-image', 'none')
  await expect(cell).toHaveJSProperty('complete', true)
  // Neither the post arrives nor a link to another picture.
  const held = await holdRequests(page, /\/rest\/v1\/(posts|comments)|\/object\/sign\/media$/)
  const known = await cell.evaluate((image: HTMLImageElement) => image.currentSrc)
  await cell.click()
  const harbour = photo(page, 'Harbour')
  await expect(harbour).toHaveJSProperty('complete', true)
  await expect(harbour).toHaveJSProperty('currentSrc', known)
  await expect(table(page).getByText('Before the wind')).toHaveCount(0)
  const frame = await wholeBoxOf(harbour)
  expect(frame).toEqual({ x: 0, y: 123, width: 920, height: 613 })
  await held.release()
  await expect(table(page).getByText('Before the wind')).toBeVisible()
  await expect(harbour).toHaveAttribute('srcset', /.+/)
  expect(await wholeBoxOf(harbour)).toEqual(frame)
  expect(sumOf(await shifted())).toBeLessThanOrEqual(MOST_SHIFT)
})

test('FEED-20 in a narrow window too, nothing shifts when a post and then its comments arrive', {
  tag: '@long',
}, async ({ page, member }) => {
  const id = await insertPhotoPost(member, [{ size: [900, 600], altText: 'Harbour' }], 'Before the wind')
  for (const content of ['Cold?', 'Very much so.', 'Next time I come along'])
    await member.api.from('comments').insert({ post_id: id, user_id: member.id, content }).throwOnError()
  await page.setViewportSize({ width: 390, height: 800 })
  const shifted = await watchShifts(page)
  await page.goto('/settings')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await page.evaluate(() => document.fonts.ready)
  // Those of the page below, if any, are measured with every screen.
  const { length: before } = await shifted()
  const posts = await holdRequests(page, /\/rest\/v1\/posts/)
  const comments = await holdRequests(page, /\/rest\/v1\/comments/)
  await visit(page, `/settings?post=${id}`)
  await posts.arrived
  await expect(table(page)).toBeVisible()
  await nextFrames(page)
  await posts.release()
  await expect(photo(page, 'Harbour')).toHaveCSS('background-image', 'none')
  await comments.arrived
  await nextFrames(page)
  await comments.release()
  await expect(table(page).getByText('Next time I come along')).toBeVisible()
  const shifts = (await shifted()).slice(before)
  expect(sumOf(shifts), JSON.stringify(shifts)).toBeLessThanOrEqual(MOST_SHIFT)
})

test('FEED-20 controls hide without pointer and keys and come back, and stay for the keyboard focus', {
  tag: '@long',
}, async ({ page, member }) => {
  const id = await insertPhotoPost(member, [{ size: [900, 600], altText: 'Harbour' }])
  await page.goto('/')
  await openFromFeed(page, id)
  const close = table(page).getByRole('button', { name: texts.close })
  const controls = close.locator('..')
  await page.mouse.move(400, 400)
  await expect(controls).toHaveCSS('opacity', '1')
  await expect(controls).toHaveCSS('opacity', '0')
  // Screen readers still have it.
  await expect(close).toBeAttached()
  await page.mouse.move(420, 420)
  await expect(controls).toHaveCSS('opacity', '1')
  await page.keyboard.press('Tab')
  await expect(table(page)).toHaveAttribute('data-idle', '')
  await expect(controls).toHaveCSS('opacity', '1')
})

/** Sends touches of fingers: Playwright has taps only. */
async function fingersOf(page: Page) {
  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setTouchEmulationEnabled', { enabled: true, maxTouchPoints: 2 })
  const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', points: readonly Finger[] = []) =>
    session.send('Input.dispatchTouchEvent', {
      type,
      touchPoints: points.map(([x, y], id) => ({ x, y, id })),
    })
  return {
    /** Puts fingers down, moves them through some places and lifts them. */
    move: async (...places: readonly Finger[][]) => {
      const [first = [], ...others] = places
      await send('touchStart', first)
      for (const place of others) await send('touchMove', place)
      await send('touchEnd')
    },
    /** Contexts are used again by other tests. */
    end: () => session.send('Emulation.setTouchEmulationEnabled', { enabled: false }),
  }
}

type Finger = readonly [x: number, y: number]

test('FEED-20 in a narrow window words are below the photo, a pinch zooms, a finger moves the photo, and swipes lead on', {
  tag: '@long',
}, async ({ page, member }) => {
  const next = await insertPhotoPost(member, [{ size: [60, 60], altText: 'Pier' }])
  const id = await insertPhotoPost(
    member,
    [{ size: [800, 800], altText: 'Dunes' }],
    `Wind all day${'\n.'.repeat(15)}`,
  )
  await page.setViewportSize({ width: 400, height: 800 })
  await page.goto('/')
  await openFromFeed(page, id)
  const dunes = photo(page, 'Dunes')
  const fitted = { x: 0, y: 0, width: 400, height: 400 }
  await expect.poll(() => wholeBoxOf(dunes)).toEqual(fitted)
  const words = table(page).getByText('Wind all day')
  await expect(words).toBeInViewport()
  expect((await wholeBoxOf(words)).y).toBeGreaterThan(400)

  // The wheel scrolls here.
  await page.mouse.move(200, 200)
  await page.mouse.wheel(0, 40)
  await expect.poll(async () => (await wholeBoxOf(dunes)).y).toBeLessThan(0)
  expect((await wholeBoxOf(dunes)).width).toBe(400)
  await page.mouse.wheel(0, -400)
  await expect.poll(() => wholeBoxOf(dunes)).toEqual(fitted)

  const fingers = await fingersOf(page)
  // Apart from each other, to twice their distance.
  await fingers.move(
    [
      [160, 200],
      [240, 200],
    ],
    [
      [120, 200],
      [280, 200],
    ],
  )
  await expect.poll(() => wholeBoxOf(dunes)).toEqual({ x: -200, y: -200, width: 800, height: 800 })
  await fingers.move([[200, 200]], [[230, 240]], [[260, 290]])
  await expect.poll(async () => (await wholeBoxOf(dunes)).x).toBeGreaterThan(-160)
  await expect(page).toHaveURL(`/?post=${id}`)
  await table(page).getByRole('button', { name: lightTable.fit }).click()
  await expect.poll(() => wholeBoxOf(dunes)).toEqual(fitted)

  await fingers.move([[300, 200]], [[240, 202]], [[120, 204]])
  await expect(photo(page, 'Pier')).toBeVisible()
  await expect(page).toHaveURL(`/?post=${next}`)
  await fingers.move([[120, 200]], [[200, 202]], [[300, 204]])
  await expect(photo(page, 'Dunes')).toBeVisible()

  // A tap where a hidden control is only shows it.
  await expect(table(page)).toHaveAttribute('data-idle', '')
  const { x, y, width, height } = await wholeBoxOf(table(page).getByRole('button', { name: texts.close }))
  const tap = () => fingers.move([[x + width / 2, y + height / 2]])
  await tap()
  await expect(table(page)).not.toHaveAttribute('data-idle', '')
  await tap()
  await expect(table(page)).toHaveCount(0)
  await fingers.end()
})

test('FEED-20 full screen, which Escape leaves first, and a light grey ground', {
  tag: '@long',
}, async ({ page, member, problems }) => {
  const id = await insertPhotoPost(member, [{ size: [900, 600], altText: 'Harbour' }])
  await page.goto('/settings')
  await page.getByRole('radio', { name: texts.settings.lightTableGround.grey }).click()
  await page.goto('/')
  await openFromFeed(page, id)
  await expect(table(page)).toHaveCSS('background-color', 'rgb(210, 210, 210)')
  const isFull = () => page.evaluate(() => document.fullscreenElement !== null)
  await page.keyboard.press('f')
  await expect.poll(isFull).toBe(true)
  await expect(table(page).getByRole('button', { name: lightTable.leaveFullScreen })).toBeVisible()
  // Menus of the post are shown there too.
  await table(page).getByRole('button', { name: texts.post.options }).click()
  await expect(page.getByRole('menuitem', { name: texts.post.editPost })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('menuitem')).toHaveCount(0)
  expect(await isFull()).toBe(true)
  await page.keyboard.press('Escape')
  await expect.poll(isFull).toBe(false)
  await expect(table(page)).toBeVisible()
  await table(page).getByRole('button', { name: lightTable.fullScreen }).click()
  await expect.poll(isFull).toBe(true)
  await table(page).getByRole('button', { name: texts.close }).click()
  await expect(table(page)).toHaveCount(0)
  await expect.poll(isFull).toBe(false)

  // A system that refuses it.
  problems.expect(/full screen: Error: not allowed/)
  await page.evaluate(() => {
    document.documentElement.requestFullscreen = () => Promise.reject(new Error('not allowed'))
  })
  await openFromFeed(page, id)
  await page.keyboard.press('f')
  await problems.arrived()
  await expect(table(page).getByRole('button', { name: lightTable.fullScreen })).toBeVisible()
})

for (const reducedMotion of ['no-preference', 'reduce'] as const)
  test(`FEED-20 the light table ${reducedMotion === 'reduce' ? 'appears and closes at once with reduced motion' : 'grows out of the photo that opens it, and shrinks into it'}`, {
    tag: '@long',
  }, async ({ page, member }) => {
    const id = await insertPhotoPost(member, [{ size: [900, 600], altText: 'Harbour' }])
    await page.emulateMedia({ reducedMotion })
    await page.addInitScript(() => {
      const grown: unknown[] = []
      Object.assign(window, { grown })
      const start = document.startViewTransition
      document.startViewTransition = function (this: Document, ...args) {
        const transition = start.apply(this, args)
        const at = grown.push(null) - 1
        void transition.ready.then(() => {
          const animations = document.getAnimations().map(({ effect }) => effect as KeyframeEffect)
          const group = animations.find(({ pseudoElement }) => pseudoElement?.includes('group(table-photo)'))
          grown[at] = group?.getTiming().duration
        })
        return transition
      }
    })
    const grown = () => page.evaluate(() => (window as unknown as { grown: unknown[] }).grown)
    const moves = (count: number) => (reducedMotion === 'reduce' ? [] : Array<number>(count).fill(220))
    const inPage = page.locator(`main :is([data-post="${id}"], [data-item="${id}"]) img[alt="Harbour"]`)
    const expectMoves = async (place: string) => {
      // Loads the table's code, which a slow first opening does not wait for.
      await page.goto(`${place}?post=${id}`)
      await expect(photo(page, 'Harbour')).toBeVisible()
      // An element that the page replaces while it loads has no part in the movement.
      await expect(inPage).toHaveCSS('background-image', 'none')
      await nextFrames(page)
      await page.keyboard.press('Escape')
      await expect(table(page)).toHaveCount(0)
      await expect.poll(grown).toEqual(moves(1))
      await inPage.click()
      await expect(photo(page, 'Harbour')).toBeVisible()
      await expect.poll(grown).toEqual(moves(2))
      await page.keyboard.press('Escape')
      await expect(table(page)).toHaveCount(0)
      await expect.poll(grown).toEqual(moves(3))
    }
    const inFeed = () => expectMoves('/')
    if (reducedMotion === 'reduce') await inFeed()
    else await test.step('in the feed', inFeed)
    await expectMoves(`/profile/${member.username}`)
    await test.step('a photo that is out of view is not shrunk into', async () => {
      await page.getByRole('link', { name: 'Harbour' }).press('Enter')
      await expect(photo(page, 'Harbour')).toBeVisible()
      await page.evaluate(() => document.querySelector('main')?.style.setProperty('margin-top', '100vh'))
      const before = (await grown()).length
      await page.keyboard.press('Escape')
      await expect(table(page)).toHaveCount(0)
      expect(await grown()).toHaveLength(before)
    })
  })

test('MEDIA-08 no photo is smaller on the light table than in the feed', {
  tag: '@long',
}, async ({ page, member }) => {
  const upright = { size: [800, 1_200], altText: 'upright' } as const
  const wide = { size: [1_200, 500], altText: 'wide' } as const
  const posts = [[upright], [wide], [{ size: [1_200, 300], altText: 'panorama' }], [upright, wide]] as const
  await page.goto('/')
  const compare = async (id: string, photos: (typeof posts)[number], width: number, height: number) => {
    const name = photos[0].altText
    await page.setViewportSize({ width, height })
    const shown = page.locator(`[data-post="${id}"]`).getByRole('img', { name })
    await expect(shown).toHaveCSS('background-image', 'none')
    const before = await wholeBoxOf(shown)
    await openFromFeed(page, id)
    // A photo grows out of the feed.
    await expect(async () => {
      const opened = await wholeBoxOf(photo(page, name))
      const where = `${name} of ${photos.length}, ${width} x ${height}`
      expect(opened.width, where).toBeGreaterThanOrEqual(before.width)
      expect(opened.height, where).toBeGreaterThanOrEqual(before.height)
    }).toPass()
    await page.keyboard.press('Escape')
    await expect(table(page)).toHaveCount(0)
  }
  for (const photos of posts) {
    const id = await insertPhotoPost(member, photos)
    // One post at a time: the newest is at the top of the feed.
    await page.reload()
    await compare(id, photos, 900, 640)
    await compare(id, photos, 2_560, 1_440)
    await compare(id, photos, 1_010, 700)
  }
})

test('FEED-20 in a right-to-left page the panel is on the left, and the keys follow the direction', {
  tag: '@long',
}, async ({ page, member }) => {
  const next = await insertPhotoPost(member, [{ size: [60, 60], altText: 'Pier' }])
  const id = await insertPhotoPost(member, [{ size: [900, 600], altText: 'Harbour' }])
  await page.addInitScript(() => {
    document.addEventListener('DOMContentLoaded', () => {
      document.documentElement.dir = 'rtl'
    })
  })
  await page.goto('/')
  await openFromFeed(page, id)
  await expect.poll(() => wholeBoxOf(photo(page, 'Harbour'))).toMatchObject({ x: PANEL, width: 920 })
  expect((await wholeBoxOf(table(page).getByRole('article'))).x).toBe(0)
  const button = table(page).getByRole('button', { name: texts.post.next })
  expect((await wholeBoxOf(button)).x).toBeLessThan(500)
  await page.keyboard.press('ArrowRight')
  await expect(page).toHaveURL(`/?post=${id}`)
  await page.keyboard.press('ArrowLeft')
  await expect(page).toHaveURL(`/?post=${next}`)
  await page.keyboard.press('ArrowRight')
  await expect(photo(page, 'Harbour')).toBeVisible()
})

test('FEED-20 in forced colours the controls and the chosen photo of the filmstrip are visible', {
  tag: '@long',
}, async ({ page, member }) => {
  const id = await insertPhotoPost(member, [
    { size: [90, 60], altText: 'First' },
    { size: [60, 90], altText: 'Second' },
  ])
  await page.emulateMedia({ forcedColors: 'active' })
  await page.goto(`/?post=${id}`)
  await expect(photo(page, 'First')).toBeVisible()
  const close = table(page).getByRole('button', { name: texts.close })
  await expect(close).toHaveCSS('border-top-width', '1px')
  const strip = table(page).getByRole('navigation', { name: lightTable.filmstrip })
  await expect(strip.locator('[aria-current="true"]')).toHaveCSS('outline-width', '2px')
  await expect(strip.getByRole('button', { name: texts.post.photoOf(2, 2) })).toHaveCSS(
    'outline-style',
    'none',
  )
})

test('FEED-20 a post that cannot be read keeps the picture of the grid, and is read again on demand', {
  tag: '@long',
}, async ({ page, member, problems }) => {
  await insertPhotoPost(member, [{ size: [900, 600], altText: 'Harbour' }], 'Before the wind')
  await page.goto(`/profile/${member.username}`)
  const cell = page.getByRole('main').getByRole('img', { name: 'Harbour' })
  await expect(cell).toHaveJSProperty('complete', true)
  problems.expect(/\/rest\/v1\/posts/, /read post: offline/)
  const undo = await failRequests(page, /\/rest\/v1\/posts/)
  await cell.click()
  await expect(photo(page, 'Harbour')).toBeVisible()
  await expect(table(page).getByText(texts.post.notLoaded)).toBeVisible()
  await undo()
  await table(page).getByRole('button', { name: texts.tryAgain }).click()
  await expect(table(page).getByText('Before the wind')).toBeVisible()
})

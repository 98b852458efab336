import type { BrowserContext, Page } from '@playwright/test'
import { signOut } from './support/auth-forms'
import { onDisk, readDisk } from './support/disk-cache'
import { longStep } from './support/long-step'
import { failRequests } from './support/network'
import { insertPhotoPost } from './support/photo-posts'
import { insertPosts } from './support/posts'
import { expect, test } from './support/test'

const SERVER = /\/(auth|rest)\/v1\//

const card = (page: Page, id: string) => page.locator(`article[data-post="${id}"]`)
const topOf = async (page: Page, id: string) => Math.round((await card(page, id).boundingBox())?.y ?? -1)

/** A page after a restart of the app without a connection. */
async function openOffline(context: BrowserContext): Promise<Page> {
  const page = await context.newPage()
  await page.routeWebSocket(/\/realtime\/v1\//, (socket) => socket.close({ code: 1001 }))
  await failRequests(page, SERVER)
  await page.goto('/')
  return page
}

interface FirstScreen {
  /** `beyond`: posts below the window. */
  cards: { all: number; beyond: number }
  hasSpinner: boolean
  /** Number of Intl formatters that have been created. */
  formatters: number
}

declare global {
  interface Window {
    firstScreen: Promise<FirstScreen>
  }
}

/** Runs in the page: records what it renders first, regardless of the speed of the disk. */
function recordFirstScreen(): void {
  let formatters = 0
  for (const name of ['DateTimeFormat', 'NumberFormat', 'PluralRules'] as const)
    Object.defineProperty(Intl, name, {
      value: new Proxy(Intl[name], {
        construct: (...args) => {
          formatters += 1
          return Reflect.construct(...args)
        },
      }),
    })
  const { setTimeout: realTimeout } = window
  const timeout = (callback: () => void, ms?: number) => (ms === 100 ? 0 : realTimeout(callback, ms))
  Object.assign(window, { setTimeout: timeout })
  window.firstScreen = new Promise((resolve) => {
    new MutationObserver((_changes, observer) => {
      const root = document.querySelector('#root')
      if (root === null || root.childElementCount === 0) return
      observer.disconnect()
      const tops = [...root.querySelectorAll('article')].map((article) => article.getBoundingClientRect().top)
      const cards = { all: tops.length, beyond: tops.filter((top) => top >= window.innerHeight).length }
      resolve({ cards, hasSpinner: root.querySelector('main') === null, formatters })
    }).observe(document, { childList: true, subtree: true })
  })
}

test('FEED-18 the feed opens from disk at the last position without a connection, likes are sent after another restart, and new posts wait', {
  tag: '@steps',
}, async ({ context, member, newMember, page, problems }) => {
  problems.expect(/ERR_CONNECTION_REFUSED/, /load own profile: offline/)
  problems.allow(/offline/, /live channel/)
  const author = await newMember()
  const ids: string[] = []
  // Insert them one by one, so that each has a different time.
  for (let index = 0; index < 10; index += 1) ids.push(...(await insertPosts(author, 1)))
  await page.goto('/')
  await expect(card(page, ids[9] ?? '')).toBeVisible()

  const read = ids[4] ?? ''
  let top = 0
  await test.step('online, the position is on disk after scrolling', async () => {
    await expect(async () => {
      await page.mouse.wheel(0, 150)
      // The post has to be on screen with its buttons: pressing one must not scroll.
      // Posts far from the viewport are not rendered: waiting for this one would not scroll on.
      const y = (await card(page, read).count()) === 0 ? -1 : await topOf(page, read)
      expect(y > 100 && y < 400, `at ${y}`).toBe(true)
    }).toPass()
    await expect
      .poll(() => onDisk(page))
      .toEqual(expect.arrayContaining([`["post","${read}"]`, '["own profile"]']))
    await expect(async () => {
      const position = (await readDisk(page))['["feed","everyone","position"]'] as { id: string; top: number }
      expect(Math.round(position.top)).toBe(await topOf(page, position.id))
    }).toPass()
    top = await topOf(page, read)
    await page.close()
  })

  const offline = await openOffline(context)
  await test.step('offline, the same post is at the same place, and the app says that the connection is lost', async () => {
    await expect(card(offline, read)).toBeVisible()
    await expect.poll(() => topOf(offline, read)).toBe(top)
    await expect(offline.getByText('Connection lost.')).toBeVisible()
    expect(new URL(offline.url()).pathname).toBe('/')
    await expect(offline.getByRole('alert')).toHaveCount(0)
  })

  await test.step('a like waits, and other actions say that they need a connection', async () => {
    await card(offline, read).getByRole('button', { name: 'Like', exact: true }).click()
    await expect(card(offline, read).getByRole('button', { name: 'Like', pressed: true })).toBeVisible()
    await problems.arrived()
    await offline.close()
  })

  const [newer = ''] = await insertPosts(author, 1, { content: () => 'Posted meanwhile' })
  const next = await context.newPage()
  await next.goto('/')
  await test.step('connected again, the like is sent, and new posts wait behind the pill without a jump', async () => {
    await expect(next.getByRole('button', { name: 'New posts' })).toBeVisible()
    expect(await topOf(next, read)).toBe(top)
    await expect(card(next, newer)).toHaveCount(0)
    await expect
      .poll(async () => (await member.api.from('likes').select('post_id').eq('user_id', member.id)).data)
      .toEqual([{ post_id: read }])
    await next.getByRole('button', { name: 'New posts' }).click()
    await expect(card(next, newer)).toBeVisible()
  })

  await longStep('at the top, the newest posts replace the cached ones', async () => {
    await expect.poll(() => onDisk(next)).toContain(`["post","${newer}"]`)
    await expect.poll(() => onDisk(next)).not.toContain('["feed","everyone","position"]')
    await next.close()
    const [newest = ''] = await insertPosts(author, 1, { content: () => 'Posted last' })
    const last = await context.newPage()
    await last.goto('/')
    await expect(card(last, newest)).toBeVisible()
  })
})

test('FEED-18 a feed on disk is the first thing on screen, starting with the posts in the window', async ({
  context,
  member: _member,
  newMember,
  page,
}) => {
  const ids = await insertPosts(await newMember(), 8)
  await page.goto('/')
  await expect(page.locator('article').first()).toBeVisible()
  const stored = ['["own profile"]', '["feed","everyone","pages"]', ...ids.map((id) => `["post","${id}"]`)]
  await expect.poll(() => onDisk(page)).toEqual(expect.arrayContaining(stored))
  await page.close()

  const next = await context.newPage()
  await next.addInitScript(recordFirstScreen)
  await next.goto('/')
  const { cards, hasSpinner, formatters } = await next.evaluate(() => window.firstScreen)
  expect(hasSpinner).toBe(false)
  expect(formatters, 'Intl takes 10 ms at its first use').toBe(0)
  expect(cards.all).toBeGreaterThan(0)
  expect(cards.beyond).toBe(0)
  await expect.poll(() => next.locator('article').count()).toBeGreaterThan(cards.all)
  await expect(next.locator('article time').first()).toHaveAttribute('title', / \d{4} \d{1,2}:\d\d/)
})

test('FEED-18 after a restart, photos are shown before the server has responded, and their links leave the disk with the post', {
  tag: '@long',
}, async ({ context, member, page, problems }) => {
  problems.allow(/ERR_CONNECTION_REFUSED/, /offline/, /live channel/)
  const id = await insertPhotoPost(member, [{ size: [120, 150], altText: 'On disk' }])
  await page.goto('/')
  await expect(card(page, id)).toBeVisible()
  await expect
    .poll(() => onDisk(page))
    .toEqual(expect.arrayContaining([`["links","${id}"]`, '["own profile"]']))
  await page.close()

  const offline = await openOffline(context)
  const photo = card(offline, id).getByRole('img', { name: 'On disk' })
  const isLoaded = (image: HTMLImageElement) =>
    image.currentSrc.includes('/object/sign/') && image.naturalWidth > 0
  await expect.poll(() => photo.evaluate(isLoaded)).toBe(true)
  await offline.close()

  await member.api.rpc('delete_posts', { ids: [id] }).throwOnError()
  const online = await context.newPage()
  await online.goto('/')
  await expect(card(online, id)).toHaveCount(0)
  await expect.poll(() => onDisk(online)).not.toContain(`["links","${id}"]`)
})

/** Marks what is on disk as stored in the form of another build. */
function ageDisk(page: Page): Promise<void> {
  return page.evaluate(async () => {
    const done = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve, reject) => {
        request.onsuccess = () => resolve(request.result)
        request.onerror = () => reject(request.error)
      })
    const database = await done(indexedDB.open('vignette.cache'))
    const entries = database.transaction('entries', 'readwrite').objectStore('entries')
    for (const entry of await done(entries.getAll())) await done(entries.put({ ...entry, form: -1 }))
    database.close()
  })
}

test('FEED-18 a sign-out or an ended session removes the member’s cache from disk; the next member and another build see none of it', {
  tag: '@steps',
}, async ({ context, contexts, member: _member, newMember, page, problems }) => {
  problems.allow(/ERR_CONNECTION_REFUSED/, /offline/, /status of 40\d/, /(forbidden|session-expired)/)
  const [other, author] = [await newMember(), await newMember()]
  const [post = ''] = await insertPosts(author, 1, { content: () => 'Only for a moment' })
  const isCached = () => expect.poll(() => onDisk(page)).toContain(`["post","${post}"]`)
  // The page reloads itself, which interrupts what reads the disk.
  const isEmptied = () => expect(async () => expect(await onDisk(page)).toEqual([])).toPass()
  await page.goto('/')
  await expect(card(page, post)).toBeVisible()
  await isCached()

  const expectNothingCached = async () => {
    const restore = await failRequests(page, SERVER)
    await page.goto('/')
    await expect(page.getByRole('alert').filter({ hasText: 'The server cannot be reached.' })).toBeVisible()
    await expect(card(page, post)).toHaveCount(0)
    await restore()
    await expect(card(page, post)).toBeVisible()
    await isCached()
  }
  await longStep('a build that stores in another form is started', async () => {
    await page.goto('/favicon.svg')
    await ageDisk(page)
    await expectNothingCached()
  })

  await longStep('the session of another member replaces the first', async () => {
    await page.goto('/favicon.svg')
    await contexts.store(context, other.storage)
    await expectNothingCached()
  })

  await test.step('the member signs out', async () => {
    await signOut(page)
    await isEmptied()
  })

  await longStep('the session of a third member is ended elsewhere', async () => {
    await contexts.store(context, author.storage)
    await page.goto('/')
    await expect(card(page, post)).toBeVisible()
    await isCached()
    await page.goto('/favicon.svg')
    await author.api.auth.signOut({ scope: 'global' })
    await page.goto('/')
    await expect(page).toHaveURL('/login')
    await isEmptied()
  })
})

import { readFile } from 'node:fs/promises'
import type { Page, Request } from '@playwright/test'
import { bubble, viewer } from './fixtures/stories'
import { signInMember } from './support/member'
import { rows as conversations } from './support/messages-page'
import { expect, test } from './support/test'
import { visit } from './support/visit'

test.use({ community: 'demo' })

/** Requests of a screen to the server's REST, auth and Storage interfaces. */
interface Cost {
  /** Number of requests, without those of files in Storage. */
  requests: number
  /** Bytes of their responses, before compression. */
  kilobytes: number
  /** Pictures and videos loaded from Storage; several parts of one video count as one. */
  files: number
  /** Bytes of the files, without those from the browser's cache. */
  fileKilobytes: number
  /** Rows of the responses, embedded ones included. */
  rows: number
}

const COLUMNS = ['requests', 'kilobytes', 'files', 'fileKilobytes', 'rows'] as const

const isFile = (request: Request) =>
  request.method() === 'GET' && /\/storage\/v1\/object\//.test(request.url())

/** Measures each step in a page, until the page is rendered and has been idle for half a second. */
function meter(page: Page) {
  const finished: Request[] = []
  const pending = new Set<Request>()
  let lastChange = Date.now()
  const isCounted = (request: Request) => /\/(rest|auth|storage)\/v1\//.test(request.url())
  const handleEnd = (request: Request) => {
    if (!pending.delete(request)) return
    lastChange = Date.now()
    finished.push(request)
  }
  page.on('request', (request) => {
    if (!isCounted(request)) return
    lastChange = Date.now()
    pending.add(request)
  })
  page.on('requestfinished', handleEnd)
  page.on('requestfailed', handleEnd)
  return async (step: () => Promise<unknown>): Promise<Cost> => {
    finished.length = 0
    lastChange = Date.now()
    await step()
    await expect
      .poll(async () => {
        const before = lastChange
        await drawn(page)
        return pending.size === 0 && lastChange === before && Date.now() - before > 500
      })
      .toBe(true)
    const [files, requests] = [finished.filter(isFile), finished.filter((request) => !isFile(request))]
    const bodies = await Promise.all(requests.map(bodyOf))
    const sizes = await Promise.all(files.map(sizeOf))
    return {
      requests: requests.length,
      kilobytes: toKilobytes(bodies.map(({ length }) => length)),
      files: new Set(files.filter((_, index) => sizes[index]).map((request) => request.url())).size,
      fileKilobytes: toKilobytes(sizes),
      rows: bodies.reduce((total, body) => total + (body === '' ? 0 : rowsIn(JSON.parse(body))), 0),
    }
  }
}

/** Resolves once the page has rendered its content: on a slow machine it sends further requests late. */
async function drawn(page: Page): Promise<void> {
  await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)))
  await page.waitForFunction(() => [...document.images].every(({ complete }) => complete))
}

/** In bytes; 0 for a file from the browser's cache. */
const sizeOf = async (request: Request) => (await request.sizes()).responseBodySize

async function bodyOf(request: Request): Promise<string> {
  const body = await (await request.response())?.body()
  return body?.toString() ?? ''
}

const toKilobytes = (bytes: readonly number[]) =>
  Math.ceil(bytes.reduce((total, count) => total + count, 0) / 1_000)

/** Number of rows of a response: it counts every object. */
function rowsIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  const own = Array.isArray(value) ? 0 : 1
  return Object.values(value).reduce<number>((total, part) => total + rowsIn(part), own)
}

/** A screen with two pixels per CSS pixel loads larger files. */
async function emulateDensePixels(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page)
  const metrics = { width: 1_280, height: 860, deviceScaleFactor: 2, mobile: false }
  await session.send('Emulation.setDeviceMetricsOverride', metrics)
}

/** Reads the table of docs/self-hosting.md: the maximum costs by screen. */
async function readLimits(): Promise<Record<string, Cost>> {
  const text = await readFile('docs/self-hosting.md', 'utf8')
  const table =
    /\| screen +\| requests +\| KB +\| files +\| KB of files +\| rows +\|\n\|[-| ]+\|\n((?:\|.*\|\n)+)/.exec(
      text,
    )?.[1] ?? ''
  return Object.fromEntries(
    table
      .trim()
      .split('\n')
      .map((line) => line.split('|').map((cell) => cell.trim()))
      .map(([, screen = '', ...cells]) => {
        const [requests = 0, kilobytes = 0, files = 0, fileKilobytes = 0, rows = 0] = cells.map(Number)
        return [screen, { requests, kilobytes, files, fileKilobytes, rows }]
      }),
  )
}

test('no screen sends more requests than docs/self-hosting.md assumes', {
  tag: '@long',
}, async ({ page, contexts, context, server }) => {
  const [guest] = server.info.demo
  if (guest === undefined) throw new Error('There is no demo member')
  const member = await signInMember(server.info, guest)
  await contexts.store(context, member.storage)
  const { data: post } = await member.api
    .from('posts')
    .select('id,profiles!posts_user_id_fkey(username)')
    .order('comment_count', { ascending: false })
    .limit(1)
    .single()
  const { data: story } = await member.api
    .from('stories')
    .select('profiles!stories_user_id_fkey(username)')
    .neq('user_id', member.id)
    .eq('media_type', 'image')
    .order('created_at')
    .limit(1)
    .single()
  if (post === null || story === null) throw new Error('The demo community has no post or story')
  const author = story.profiles.username
  await emulateDensePixels(page)
  const measure = meter(page)
  const costs: Record<string, Cost> = {}

  costs['Start, with the feed'] = await measure(async () => {
    await page.goto('/')
    await expect(page.getByRole('article').first()).toBeVisible()
  })
  costs['Feed, scrolled to its next page'] = await measure(async () => {
    await page.getByRole('article').last().scrollIntoViewIfNeeded()
    await page.mouse.wheel(0, 20_000)
  })
  costs['A post with its comments'] = await measure(async () => {
    await visit(page, `/?post=${post.id}`)
    await expect(page.getByRole('dialog')).toBeVisible()
  })
  costs['A profile'] = await measure(async () => {
    await visit(page, `/profile/${post.profiles.username}`)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  })
  costs['A search'] = await measure(async () => {
    await page.getByRole('combobox', { name: /search/i }).fill('an')
    await expect(page.getByRole('option').first()).toBeVisible()
  })
  await page.keyboard.press('Escape')
  costs.Notifications = await measure(async () => {
    await page.getByRole('button', { name: /^Notifications/ }).click()
    await expect(
      page.getByRole('dialog', { name: 'Notifications' }).getByRole('listitem').first(),
    ).toBeVisible()
  })
  await page.keyboard.press('Escape')
  costs.Messages = await measure(async () => {
    await visit(page, '/messages')
    await expect(conversations(page).first()).toBeVisible()
  })
  costs['A conversation'] = await measure(async () => {
    await conversations(page).first().getByRole('link').click()
    await expect(page.getByRole('article').first()).toBeVisible()
  })
  costs['Edit Profile'] = await measure(async () => {
    await visit(page, '/edit-profile')
    await expect(page.getByLabel('Username')).toBeVisible()
  })
  costs.Settings = await measure(async () => {
    await visit(page, '/settings')
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  })
  // The feed's own requests end first.
  await measure(async () => {
    await visit(page, '/')
    await expect(bubble(page, author)).toBeVisible()
  })
  costs['A story'] = await measure(async () => {
    await bubble(page, author).click()
    await expect(viewer(page, author)).toBeVisible()
  })

  const limits = await readLimits()
  expect(Object.keys(costs).sort()).toEqual(Object.keys(limits).sort())
  for (const column of COLUMNS) {
    for (const [screen, cost] of Object.entries(costs))
      expect.soft(cost[column], `${screen}: ${column}`).toBeLessThanOrEqual(limits[screen]?.[column] ?? 0)
    // Limits that are far too high also fail, which also detects a meter that misses requests.
    const sum = (table: Record<string, Cost>) =>
      Object.values(table).reduce((total, cost) => total + cost[column], 0)
    expect.soft(sum(costs), `all screens: ${column}`).toBeGreaterThan(sum(limits) / 2)
  }
})

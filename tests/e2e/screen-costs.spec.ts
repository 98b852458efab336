import { readFile } from 'node:fs/promises'
import type { Page, Request } from '@playwright/test'
import { bubble, viewer } from './fixtures/stories'
import { signInMember } from './support/member'
import { rows as conversations } from './support/messages-page'
import { expect, test } from './support/test'
import { visit } from './support/visit'

test.use({ community: 'demo' })

/** What a screen asks of the server's REST and auth interfaces. */
interface Cost {
  requests: number
  /** Bodies of the responses without the pictures, before compression. */
  kilobytes: number
  /** Pictures and videos in full size; thumbnails count as kilobytes. */
  pictures: number
  /** Rows of the responses, embedded ones included. */
  rows: number
}

/** A meter in a page: what each step costs until the page has been quiet for half a second. */
function meter(page: Page) {
  const finished: Request[] = []
  const pending = new Set<Request>()
  let lastChange = Date.now()
  const isCounted = (request: Request) => /\/(rest|auth)\/v1\//.test(request.url())
  page.on('request', (request) => {
    if (!isCounted(request)) return
    lastChange = Date.now()
    pending.add(request)
  })
  page.on('requestfinished', (request) => {
    if (!pending.delete(request)) return
    lastChange = Date.now()
    finished.push(request)
  })
  page.on('requestfailed', (request) => pending.delete(request))
  return async (step: () => Promise<unknown>): Promise<Cost> => {
    finished.length = 0
    lastChange = Date.now()
    await step()
    await expect.poll(() => pending.size === 0 && Date.now() - lastChange > 500).toBe(true)
    const bodies = await Promise.all(finished.map(async (request) => (await request.response())?.body()))
    const total = { requests: finished.length, kilobytes: 0, pictures: 0, rows: 0 }
    for (const body of bodies) {
      if (body === undefined || body.length === 0) continue
      const { pictures, pictureBytes, rows } = contentOf(JSON.parse(body.toString()))
      total.kilobytes += (body.length - pictureBytes) / 1_000
      total.pictures += pictures
      total.rows += rows
    }
    return { ...total, kilobytes: Math.ceil(total.kilobytes) }
  }
}

/** Characters of the largest thumbnails and avatars; the demo community's pictures are larger. */
const THUMBNAIL_MAX = 30_000

/** What a response consists of: every object is a row. */
function contentOf(value: unknown): { pictures: number; pictureBytes: number; rows: number } {
  if (typeof value === 'string') {
    const isPicture = value.startsWith('data:') && value.length > THUMBNAIL_MAX
    return isPicture
      ? { pictures: 1, pictureBytes: value.length, rows: 0 }
      : { pictures: 0, pictureBytes: 0, rows: 0 }
  }
  const isRow = typeof value === 'object' && value !== null && !Array.isArray(value)
  const total = { pictures: 0, pictureBytes: 0, rows: isRow ? 1 : 0 }
  for (const part of typeof value === 'object' && value !== null ? Object.values(value) : []) {
    const { pictures, pictureBytes, rows } = contentOf(part)
    total.pictures += pictures
    total.pictureBytes += pictureBytes
    total.rows += rows
  }
  return total
}

/** The table of docs/self-hosting.md: screen → the most that it may cost. */
async function readLimits(): Promise<Record<string, Cost>> {
  const text = await readFile('docs/self-hosting.md', 'utf8')
  const table =
    /\| screen +\| requests +\| KB +\| pictures +\| rows +\|\n\|[-| ]+\|\n((?:\|.*\|\n)+)/.exec(text)?.[1] ??
    ''
  return Object.fromEntries(
    table
      .trim()
      .split('\n')
      .map((line) => line.split('|').map((cell) => cell.trim()))
      .map(([, screen = '', ...cells]) => {
        const [requests = 0, kilobytes = 0, pictures = 0, rows = 0] = cells.map(Number)
        return [screen, { requests, kilobytes, pictures, rows }]
      }),
  )
}

test('no screen asks more of the server than docs/self-hosting.md calculates with', { tag: '@long' }, async ({
  page,
  contexts,
  context,
  server,
}) => {
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
    .limit(1)
    .single()
  if (post === null || story === null) throw new Error('The demo community has no post or story')
  const author = story.profiles.username
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
  await visit(page, '/')
  await expect(bubble(page, author)).toBeVisible()
  costs['A story'] = await measure(async () => {
    await bubble(page, author).click()
    await expect(viewer(page, author)).toBeVisible()
  })

  const limits = await readLimits()
  expect(Object.keys(costs).sort()).toEqual(Object.keys(limits).sort())
  for (const [screen, cost] of Object.entries(costs)) {
    for (const [what, amount] of Object.entries(cost)) {
      expect.soft(amount, `${screen}: ${what}`).toBeLessThanOrEqual(limits[screen]?.[what as keyof Cost] ?? 0)
    }
  }
})

import { gzipSync } from 'node:zlib'
import type { Response } from '@playwright/test'
import { contentSecurityPolicy } from '#/shared/csp'
import { BUDGETS } from '../../scripts/lib/budgets.mjs'
import { insertPosts } from './support/posts'
import { expect, test } from './support/test'

test('the server serves the app with its content security policy', { tag: '@smoke' }, async ({
  page,
  server,
}) => {
  const response = await page.goto('/')
  expect(response?.status()).toBe(200)
  expect(response?.headers()['content-security-policy']).toBe(contentSecurityPolicy())
  expect(response?.headers()['x-content-type-options']).toBe('nosniff')
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible()
  expect(new URL(page.url()).origin).toBe(server.url)
})

test('a path with a dot is a page, a missing file is not', async ({ request }) => {
  const profile = await request.get('/profile/ada.lovelace')
  expect(profile.headers()['content-type']).toContain('text/html')
  const missing = await request.get('/assets/no-such-file.js')
  expect(missing.status()).toBe(404)
})

test('the feed opens with at most 260 KB of JavaScript, gzipped', async ({ page, member }) => {
  // A picture inside the row loads more code than one in Storage.
  await insertPosts(member, 1, { thumbnailBytes: 1_000 })
  const scripts = new Map<string, Response>()
  page.on('response', (response) => {
    if (response.request().resourceType() === 'script') scripts.set(response.url(), response)
  })
  // Only scripts requested before the first post, or the empty feed's heading, is in the page.
  await page.addInitScript(() => {
    const look = new MutationObserver(() => {
      if (document.querySelector('main article, main h2') === null) return
      performance.mark('feed')
      look.disconnect()
    })
    look.observe(document, { childList: true, subtree: true })
  })
  await page.goto('/')
  await expect(page.getByText('No posts yet').or(page.getByRole('article').first())).toBeVisible()
  const needed = await page.evaluate(() => {
    const [feed] = performance.getEntriesByName('feed')
    const all = performance.getEntriesByType('resource')
    return all.filter(({ startTime }) => startTime < (feed?.startTime ?? 0)).map(({ name }) => name)
  })
  const responses = needed.flatMap((url) => scripts.get(url) ?? [])
  const bodies = await Promise.all(responses.map((response) => response.body()))
  const total = bodies.reduce((sum, body) => sum + gzipSync(body).length, 0)
  // At least one script is needed, whatever its name.
  expect(total, member.username).toBeGreaterThan(100_000)
  expect(total).toBeLessThanOrEqual(BUDGETS.rendererFirstLoad)
})

test('a fresh member reads profiles', { tag: '@smoke' }, async ({ member, newMember }) => {
  const other = await newMember({ fullName: 'Ines Duarte' })
  const { data, error } = await member.api
    .from('profiles')
    .select('username,full_name')
    .in('id', [member.id, other.id])
    .order('full_name')
  expect(error).toBeNull()
  expect(data).toEqual([
    { username: other.username, full_name: 'Ines Duarte' },
    { username: member.username, full_name: member.fullName },
  ])
})

test('a request that the server does not serve is refused, and fails a test that did not expect it', async ({
  member,
  problems,
}) => {
  problems.expect(/^not served: GET \/rest\/v1\/posts: An operator is not served for this column$/)
  const { error } = await member.api.from('posts').select('id').like('content', '%a%')
  expect(error?.code).toBe('PGRST100')
  await problems.arrived()
})

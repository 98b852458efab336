import { gzipSync } from 'node:zlib'
import { contentSecurityPolicy } from '#/shared/csp'
import { BUDGETS } from '../../scripts/lib/budgets.mjs'
import { expect, test } from './support/test'

test('the app comes from the server itself, under its policy', async ({ page, server }) => {
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

test('the feed opens with at most 200 KiB of JavaScript, gzipped', async ({ page, member }) => {
  const html = await (await page.request.get('/')).text()
  // The page names what it needs; the rest is fetched for later, before or after the first posts.
  const needed = [...html.matchAll(/(?:src|href)="([^"]+\.js)"/g)].map(([, url]) => url ?? '')
  const bodies = await Promise.all(needed.map(async (url) => (await page.request.get(url)).body()))
  const total = bodies.reduce((sum, body) => sum + gzipSync(body).length, 0)
  // Something is needed, whatever its files are called.
  expect(total, member.username).toBeGreaterThan(100_000)
  expect(total).toBeLessThanOrEqual(BUDGETS.rendererFirstLoad)
})

test('the server reads a fresh member as themselves', async ({ member, newMember }) => {
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
  problems.expect(/^not served: GET \/rest\/v1\/posts: The filter 'like' is not served$/)
  const { error } = await member.api.from('posts').select('id').like('content', '%a%')
  expect(error?.code).toBe('PGRST100')
  await problems.arrived()
})

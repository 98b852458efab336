import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test, vi } from 'vitest'
import { app, openApp } from '#tests/renderer/app/open-app'
import { type FakeServer, fakeServer, postBy, signIn } from '#tests/renderer/fake-server'

vi.mock('#/renderer/lib/core/logger', async (load) => ({ ...(await load<object>()), logFailure: vi.fn() }))

let server: FakeServer

beforeEach(() => {
  server = fakeServer()
  server.on('GET posts', () => [postBy('ben', 'p1')])
  for (const name of [
    'explore_posts',
    'search_posts',
    'search_profiles',
    'search_topics',
    'people_to_follow',
    'popular_hashtags',
  ])
    server.on(`POST ${name}`, () => [])
  server.on('GET hashtag_follows', () => [])
  signIn()
})

const main = () => within(screen.getByRole('main'))
const box = () => screen.getByRole('combobox', { name: 'Search' })
const fails = () => Promise.reject(new TypeError('Failed to fetch'))
const offline = () => main().queryByText('This appears when the connection is back.')

const READS = ['explore_posts', 'search_posts']

test.each(READS)(
  'FEED-22 FEED-16 FEED-12 %s says at once that there is no connection, and loads by itself later',
  async (read) => {
    server.on(`POST ${read}`, fails)
    openApp(read === 'explore_posts' ? '/?explore' : '/?q=tide')
    await screen.findByRole('main')
    await waitFor(() => expect(offline()).not.toBeNull())
    // One that could not be loaded is not empty.
    expect(main().queryByText('Nothing here yet')).toBeNull()
    expect(main().queryByText('No posts found')).toBeNull()
    server.on(`POST ${read}`, () => [])
    await waitFor(() => expect(offline()).toBeNull())
  },
)

test('FEED-12 NAV-03 a search that cannot be loaded says so', async () => {
  for (const name of ['search_profiles', 'search_topics']) server.on(`POST ${name}`, fails)
  openApp('/')
  await userEvent.type(box(), 'ines')
  await screen.findByText('Search does not work at the moment.')
})

test('NAV-03 a typed search stays on its page', async () => {
  openApp('/?explore')
  await userEvent.type(box(), 'ines')
  await act(async () => app.go('/'))
  expect((box() as HTMLInputElement).value).toBe('')
})

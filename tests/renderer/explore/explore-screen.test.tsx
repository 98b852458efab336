import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test, vi } from 'vitest'
import { app, openApp } from '#tests/renderer/app/open-app'
import { press } from '#tests/renderer/dom'
import { type FakeServer, fakeServer, postBy, refusal, signIn, suggestion } from '#tests/renderer/fake-server'

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

test('FEED-12 NAV-03 a search without a connection says so at once, and not beside what the previous one found', async () => {
  server.on('POST search_profiles', () => [suggestion('ines')])
  openApp('/')
  fireEvent.change(box(), { target: { value: 'in' } })
  await screen.findByRole('option', { name: /ines/ })
  server.on('POST search_profiles', fails)
  fireEvent.change(box(), { target: { value: 'ines' } })
  await screen.findByText('Search works again when the connection is back.')
  expect(screen.queryByRole('option')).toBeNull()
  expect(server.sent('POST search_profiles')).toHaveLength(2)
})

test('FEED-22 FEED-12 NAV-03 a grid and a search that the server refuses say so', async () => {
  const refuses = () => refusal(500, 'XX000', 'The disk is full')
  for (const name of ['explore_posts', 'search_profiles']) server.on(`POST ${name}`, refuses)
  openApp('/?explore')
  fireEvent.change(box(), { target: { value: 'ines' } })
  await screen.findByText('Search does not work at the moment.')
  await main().findByText('This could not be loaded.')
  expect(offline()).toBeNull()
  server.on('POST explore_posts', () => [])
  await press('Try again', screen.getByRole('main'))
  await waitFor(() => expect(main().queryByText('This could not be loaded.')).toBeNull())
})

test('NAV-03 a typed search stays on its page', async () => {
  openApp('/?explore')
  await userEvent.type(box(), 'ines')
  await act(async () => app.go('/'))
  expect((box() as HTMLInputElement).value).toBe('')
})

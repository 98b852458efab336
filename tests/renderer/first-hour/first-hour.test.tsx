import { act, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test, vi } from 'vitest'
import { useServerInfo } from '#/renderer/lib/core/server-info'
import { beginFirstHour, firstHourStage } from '#/renderer/lib/local/first-hour'
import type { ServerInfo } from '#/shared/server'
import { parseServerLink } from '#/shared/server-link'
import { openApp } from '#tests/renderer/app/open-app'
import { press } from '#tests/renderer/dom'
import {
  author,
  type FakeServer,
  fakeServer,
  ME,
  PROFILE,
  postBy,
  signIn,
  suggestion,
} from '#tests/renderer/fake-server'

let server: FakeServer

const BEN = { id: 'ben', ...author('ben'), is_private: false }

const card = () => screen.findByRole('region', { name: 'Your first steps' })
const hasCard = () => screen.queryByRole('region', { name: 'Your first steps' }) !== null
const heading = (name: string) => screen.findByRole('heading', { name })

beforeEach(() => {
  server = fakeServer()
  server.on('GET posts', () => [postBy('ben', 'p1')])
  server.on('GET profiles', () => [BEN])
  for (const table of ['follows', 'follow_requests']) server.on(`GET ${table}`, () => [])
  server.on('GET people_to_follow', () => [suggestion('ben')])
  signIn()
  beginFirstHour(ME)
})

test('FEED-23 a new member is led through picture, privacy and people, each to be done or skipped, once', async () => {
  server.on('PATCH profiles', () => [{ ...PROFILE, is_private: true }])
  openApp('/')
  await heading('Add a picture of you')
  const first = await card()
  expect(first.textContent).toContain('Step 1 of 3')
  expect(first.textContent).toContain('It is beside everything that you post and write.')
  expect((within(first).getByRole('button', { name: 'Next' }) as HTMLButtonElement).disabled).toBe(true)
  await press('Skip', first)

  await heading('Who sees your posts?')
  const second = await card()
  expect(document.activeElement).toBe(second)
  for (const words of [
    'You can change this in the settings at any time.',
    'Everyone here can see your posts.',
    'Only people you approve can see your posts.',
  ])
    expect(second.textContent).toContain(words)
  expect((screen.getByRole('radio', { name: /^Public/ }) as HTMLInputElement).checked).toBe(true)
  await userEvent.click(screen.getByRole('radio', { name: /^Private/ }))
  await press('Next', second)
  await heading('Follow a few people')
  await vi.waitFor(() => expect(server.sent('PATCH profiles')).toEqual([{ is_private: true }]))

  // After a restart it goes on where the member was.
  openApp('/')
  await heading('Follow a few people')
  expect((await card()).textContent).toContain('Their posts are then in Following.')
  await screen.findByRole('button', { name: 'Follow ben' })
  await press('Done', await card())
  expect(hasCard()).toBe(false)
  openApp('/')
  await screen.findByRole('tab', { name: 'Everyone' })
  expect(hasCard()).toBe(false)
})

test('FEED-23 all steps can be skipped at once, and other members never see them', async () => {
  openApp('/')
  await press('Skip all', await card())
  await vi.waitFor(() => expect(hasCard()).toBe(false))
  expect(firstHourStage(ME)).toBeNull()
  openApp('/')
  await screen.findByRole('tab', { name: 'Everyone' })
  expect(hasCard()).toBe(false)
})

test('FEED-23 says so if there is nobody to suggest', async () => {
  server.on('GET people_to_follow', () => [])
  openApp('/')
  for (const title of ['Add a picture of you', 'Who sees your posts?']) {
    await heading(title)
    await press('Skip', await card())
  }
  await heading('Follow a few people')
  await vi.waitFor(async () =>
    expect((await card()).textContent).toContain('There is nobody to suggest yet. Explore shows who posts.'),
  )
})

test('FEED-23 FEED-02 the first member sees so, what to do, and who joins next', async () => {
  server.on('GET posts', () => [])
  server.on('GET profiles', () => [])
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  openApp('/')
  await heading('No posts yet')
  expect(screen.getByText('Start following people or create your first post!')).toBeDefined()
  await press('Skip all', await card())
  await heading('You are the first here')
  const alone = await card()
  for (const words of [
    'Post a few photos, so that the next to come find something.',
    'others who use this computer can create an account too',
    'The first to join is announced here.',
  ])
    expect(alone.textContent).toContain(words)
  expect(screen.getByRole('link', { name: 'Create your first post' }).getAttribute('href')).toBe('/create')

  server.on('GET profiles', () => [BEN])
  await act(async () => void (await vi.advanceTimersByTimeAsync(15_000)))
  await heading('ben has joined')
  expect((await card()).textContent).toContain('You are no longer alone here.')
  server.on('POST follows', () => null)
  await press('Follow ben', await card())
  await within(await card()).findByRole('button', { name: 'Unfollow ben' })
  await vi.waitFor(() => expect(server.sent('POST follows')).toMatchObject([{ following_id: 'ben' }]))
  await press('Close', await card())
  expect(hasCard()).toBe(false)
})

test('FEED-23 DESK-08 the first member of a project passes on its address and key as a link and a QR code', async () => {
  const address = { url: 'https://photos.example.com', publishableKey: 'sb_publishable_1' }
  useServerInfo.setState({
    server: { ...address, kind: 'chosen', storageKey: 'chosen', demo: [], mailFile: null } as ServerInfo,
  })
  beginFirstHour(ME)
  server.on('GET posts', () => [])
  server.on('GET profiles', () => [])
  const user = userEvent.setup()
  openApp('/')
  await press('Skip all', await card())
  const link = (await screen.findByRole('textbox', { name: 'Link to this server' })) as HTMLInputElement
  const alone = await card()
  expect(alone.textContent).toContain(
    'Pass this link on to the people you want here, or let them scan the code.',
  )
  expect(alone.textContent).toContain('They check both, connect, and create an account.')
  expect(parseServerLink(link.value)).toEqual(address)
  expect(screen.getByRole('img', { name: 'QR code of the link to this server' })).toBeDefined()
  await user.click(screen.getByRole('button', { name: 'Copy link' }))
  await screen.findByText('Link copied')
  expect(await navigator.clipboard.readText()).toBe(link.value)
})

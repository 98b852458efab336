import { act, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test, vi } from 'vitest'
import { logFailure } from '#/renderer/lib/core/logger'
import { FEED_PAGE } from '#/shared/limits'
import { app, openApp } from '#tests/renderer/app/open-app'
import { press } from '#tests/renderer/dom'
import {
  author,
  type FakeServer,
  fakeServer,
  ME,
  memberRow,
  postBy,
  refusal,
  signIn,
} from '#tests/renderer/fake-server'

let server: FakeServer
let muted: string[]

const QUIET = { ...postBy('ana', 'quiet'), created_at: '2026-03-01T10:00:00Z' }
const LOUD = Array.from({ length: FEED_PAGE }, (_, index) => postBy('ben', `loud${index}`))
const BEN = { id: 'ben', ...author('ben'), created_at: '2026-03-01T12:00:00Z' }

const shown = () =>
  [...document.querySelectorAll<HTMLElement>('article[data-post]')].map(({ dataset }) => dataset.post)
const logged = () => vi.mocked(logFailure).mock.calls.map(([what]) => what)

async function choose(post: string, item: RegExp): Promise<void> {
  const card = document.querySelector(`article[data-post="${post}"]`) as HTMLElement
  await userEvent.click(within(card).getByRole('button', { name: 'Post options' }))
  await userEvent.click(await screen.findByRole('menuitem', { name: item }))
}

beforeEach(() => {
  vi.mocked(logFailure).mockClear()
  server = fakeServer()
  server.on('GET posts', () => [LOUD[0], QUIET])
  muted = []
  server.on('GET mutes', () => muted.map((muted_id) => ({ muted_id, created_at: '2026-03-01T12:00:00Z' })))
  server.on('POST mutes', ({ body }) => {
    muted.push((body as { muted_id: string }).muted_id)
    return null
  })
  server.on('DELETE mutes', () => {
    muted = []
    return null
  })
  server.on('GET profiles', () => [memberRow('ben')])
  for (const name of ['muted_members', 'blocked_members']) server.on(`GET ${name}`, () => [])
  signIn()
})

test('SAFE-02 a muted member’s posts leave the feed at once', async () => {
  let answer = (): void => undefined
  server.on('POST mutes', () => new Promise((resolve) => (answer = () => resolve(null))))
  openApp('/')
  await vi.waitFor(() => expect(shown()).toEqual(['loud0', 'quiet']))
  await choose('loud0', /^Mute/)
  await vi.waitFor(() => expect(shown()).toEqual(['quiet']))
  await screen.findByText('You no longer see posts and stories of ben.')
  expect(server.sent('POST mutes')).toEqual([{ muter_id: ME, muted_id: 'ben' }])
  await act(async () => app.go('/profile/ben'))
  await screen.findByText('Muted: you do not see their posts and stories in your feed.')
  await act(async () => answer())
})

test('SAFE-02 a feed whose first page has only posts of a muted member loads the next', async () => {
  muted = ['ben']
  server.on('GET posts', ({ query }) => (/lte/.test(query.toString()) ? [QUIET] : LOUD))
  openApp('/')
  await vi.waitFor(() => expect(shown()).toEqual(['quiet']))
})

test('SAFE-04 the settings list muted members, and the row of one who is unmuted stays', async () => {
  muted = ['ben']
  server.on('GET muted_members', () => [BEN])
  openApp('/settings')
  const section = await screen.findByRole('region', { name: 'Blocked and muted' })
  await within(section).findByText(/^You have blocked nobody\./)
  await userEvent.click(within(section).getByRole('tab', { name: 'Muted members' }))
  await userEvent.click(await within(section).findByRole('button', { name: 'Unmute ben' }))
  await within(section).findByRole('button', { name: 'Mute ben' })
  expect(server.calls.find(({ name }) => name === 'DELETE mutes')?.query.toString()).toContain(
    'muted_id=eq.ben',
  )
  await act(async () => app.go('/'))
  await vi.waitFor(() => expect(shown()).toEqual(['loud0', 'quiet']))
})

test('SAFE-03 a report needs a reason, keeps its text when it fails, and its thanks offer to mute', async () => {
  openApp('/')
  await vi.waitFor(() => expect(shown()).toEqual(['loud0', 'quiet']))
  await choose('loud0', /^Report post$/)
  const dialog = await screen.findByRole('dialog', { name: 'Report this post' })
  const send = () => within(dialog).getByRole('button', { name: 'Send report' }) as HTMLButtonElement
  const details = within(dialog).getByRole('textbox') as HTMLTextAreaElement
  expect(send().disabled).toBe(true)
  await userEvent.click(within(dialog).getByRole('radio', { name: 'Spam or fraud' }))
  await userEvent.click(details)
  await userEvent.paste('x'.repeat(501))
  expect(within(dialog).getByText('1 character too many')).toBeDefined()
  expect(send().disabled).toBe(true)
  await userEvent.clear(details)
  await userEvent.type(details, 'An advertisement')
  server.on('POST reports', () => refusal(500, 'XX000', 'The disk is full'))
  await userEvent.click(send())
  expect((await within(dialog).findByRole('alert')).textContent).toBe(
    'Your report could not be sent. Please try again.',
  )
  expect(details.value).toBe('An advertisement')
  expect(logged()).toContain('report')
  server.on('POST reports', () => null)
  await userEvent.click(send())
  const thanks = await screen.findByRole('dialog', { name: 'Thank you' })
  expect(server.sent('POST reports').at(-1)).toMatchObject({
    ...{ reporter_id: ME, member_id: 'ben', post_id: 'loud0', reason: 'spam', details: 'An advertisement' },
  })
  await press('Mute', thanks)
  await vi.waitFor(() => expect(shown()).toEqual(['quiet']))
  expect(screen.queryByRole('dialog')).toBeNull()
})

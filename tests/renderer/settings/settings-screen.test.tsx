import { act, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test, vi } from 'vitest'
import { logFailure } from '#/renderer/lib/core/logger'
import { app, openApp } from '#tests/renderer/app/open-app'
import { pageText, press } from '#tests/renderer/dom'
import { type FakeServer, fakeServer, PROFILE, refusal, signIn } from '#tests/renderer/fake-server'

const SWITCHES = [
  {
    section: 'Privacy',
    label: 'Private Account',
    body: 'When your account is private, only people you approve can see your posts',
    column: 'is_private',
    isOn: false,
  },
  {
    section: 'Activity',
    label: 'Activity Status',
    body: 'Let others see when you were last active',
    column: 'show_activity_status',
    isOn: true,
  },
  {
    section: 'Stories',
    label: 'Allow Story Replies',
    body: 'Let people reply to your stories',
    column: 'allow_story_replies',
    isOn: true,
  },
] as const

let server: FakeServer

const region = (name: string) => screen.findByRole('region', { name })
const control = (name: string) => screen.findByRole('switch', { name })
const isOn = async (name: string) => (await control(name)).getAttribute('aria-checked') === 'true'

beforeEach(() => {
  server = fakeServer()
  server.on('GET profiles', () => PROFILE)
  signIn()
})

test('SET-01 the settings have their sections and switches, the link to the profile form, and a way back', async () => {
  openApp('/profile/mara')
  await userEvent.click(await screen.findByRole('button', { name: 'Account menu' }))
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Settings' }))
  await screen.findByRole('heading', { level: 1, name: 'Settings' })
  expect(pageText()).toContain('Press ? to see the keyboard shortcuts.')
  for (const { section, label, body, isOn } of SWITCHES) {
    const each = within(await region(section)).getByRole('switch', { name: label })
    expect(each.getAttribute('aria-checked')).toBe(String(isOn))
    const describing = each.getAttribute('aria-describedby')?.split(' ') ?? []
    expect(describing.map((id) => document.getElementById(id)?.textContent).join(' ')).toContain(body)
  }
  expect((await region('Activity')).textContent).toContain(
    'Also covers typing and ‘Delivered’. While it is off, you don’t see any of this from others either.',
  )
  const account = within(await region('Account'))
  expect(account.getByRole('link', { name: 'Edit Profile' }).getAttribute('href')).toBe('/edit-profile')
  expect(account.getByRole('button', { name: 'Delete Account' })).toBeDefined()
  expect(account.getByText('Permanently delete your account and all data')).toBeDefined()
  await press('Back')
  expect(app.location.pathname).toBe('/profile/mara')
  await act(async () => app.go(1))
  await screen.findByRole('heading', { level: 1, name: 'Settings' })
})

test.each(SWITCHES)(
  'SET-02 SET-04 $label moves at once, is saved, and stays after a restart',
  async ({ label, column, isOn: was }) => {
    let stored: object = PROFILE
    let save: (saved: unknown) => void = () => undefined
    server.on('GET profiles', () => stored)
    server.on('PATCH profiles', () => new Promise((resolve) => (save = resolve)))
    openApp('/settings')
    expect(await isOn(label)).toBe(was)
    await userEvent.click(await control(label))
    expect(await isOn(label)).toBe(!was)
    await vi.waitFor(() => expect(server.sent('PATCH profiles')).toEqual([{ [column]: !was }]))
    stored = { ...PROFILE, [column]: !was }
    await act(async () => save(null))
    await act(async () => app.go('/messages'))
    await act(async () => app.go('/settings'))
    expect(await isOn(label)).toBe(!was)
    signIn({ [column]: !was })
    openApp('/settings')
    expect(await isOn(label)).toBe(!was)
    expect(server.sent('PATCH profiles')).toHaveLength(1)
  },
)

test('MSG-13 a member chooses who can send requests, and a failure returns the choice', async () => {
  let stored: object = PROFILE
  server.on('GET profiles', () => stored)
  server.on('PATCH profiles', () => refusal(500, 'XX000', 'The disk is full'))
  openApp('/settings')
  const choice = await screen.findByRole('radiogroup', { name: 'Who can message you' })
  const descriptionOf = (element: HTMLElement) =>
    (element.getAttribute('aria-describedby') ?? '')
      .split(' ')
      .map((id) => document.getElementById(id)?.textContent)
      .join(' ')
  expect(descriptionOf(choice)).toBe(
    'Messages from people you don’t follow wait under Requests until you accept. Conversations that you have accepted stay open.',
  )
  const options = [
    ['Everyone', 'Anybody can send you a request.'],
    ['Your followers and people you follow', 'Only followers can send you a request.'],
    ['People you follow', 'Nobody can send you a request.'],
    ['Nobody new', 'Only conversations that you have accepted or started.'],
  ] as const
  const option = (name: string) => within(choice).getByRole('radio', { name })
  const isChosen = (name: string) =>
    vi.waitFor(() => expect(option(name).getAttribute('aria-checked')).toBe('true'))
  expect(within(choice).getAllByRole('radio')).toHaveLength(options.length)
  for (const [name, description] of options) expect(descriptionOf(option(name))).toBe(description)
  await userEvent.click(option('Nobody new'))
  await vi.waitFor(() => expect(server.sent('PATCH profiles')).toEqual([{ new_messages_from: 'nobody' }]))
  await isChosen('Everyone')
  expect(logFailure).toHaveBeenCalledWith('save who can write', expect.objectContaining({ code: 'server' }))

  server.on('PATCH profiles', ({ body }) => {
    stored = { ...PROFILE, ...(body as object) }
    return null
  })
  act(() => option('Everyone').focus())
  for (const [name] of options.slice(1, 3)) {
    // The key is held until the choice has followed the focus.
    const keyboard = userEvent.setup()
    await keyboard.keyboard('{ArrowDown>}')
    await isChosen(name)
    await keyboard.keyboard('{/ArrowDown}')
  }
  await vi.waitFor(() => expect(stored).toMatchObject({ new_messages_from: 'following' }))
})

import { act, fireEvent, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test, vi } from 'vitest'
import { texts } from '#/renderer/lib/texts'
import { gate } from '#tests/gate'
import { app, openApp } from '#tests/renderer/app/open-app'
import { fill, pageText, press } from '#tests/renderer/dom'
import {
  author,
  type FakeServer,
  fakeServer,
  ME,
  memberRow,
  PROFILE,
  postBy,
  refusal,
  signIn,
} from '#tests/renderer/fake-server'

let server: FakeServer
let stored = PROFILE

const valueOfField = (label: string) => (screen.getByLabelText(label) as HTMLInputElement).value
const openForm = async () =>
  act(async () => (await screen.findByRole('link', { name: 'Edit Profile' })).click())
const hasDiscard = () => screen.queryByRole('button', { name: 'Discard changes' }) !== null

beforeEach(() => {
  stored = PROFILE
  server = fakeServer()
  server.on('GET profiles', () => stored)
  server.on('PATCH profiles', ({ body }) => {
    stored = { ...stored, ...(body as object) }
    return stored
  })
  signIn()
})

test('EDIT-02 EDIT-03 an invalid website shows an error; saving writes exactly the form; session, links and posts show the new name', async () => {
  const post = postBy('mara', 'p1')
  server.on('GET posts', () => [{ ...post, author: author(stored.username) }])
  openApp('/')
  await screen.findByRole('article', { name: 'Post by mara' })
  await press('Account menu')
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Settings' }))
  await openForm()
  const username = await screen.findByLabelText<HTMLInputElement>('Username')
  const website = screen.getByLabelText<HTMLInputElement>('Website')
  expect([username.value, username.required, website.type]).toEqual(['mara', true, 'url'])
  expect(valueOfField('Full Name')).toBe('Mara Lindt')
  expect(screen.getByPlaceholderText('Tell us about yourself...').getAttribute('rows')).toBe('3')
  expect(website.placeholder).toBe('https://example.com')

  for (const typed of ['javascript:alert(1)', 'two words', 'mailto:mara@example.com']) {
    fill('Website', typed)
    await press('Save Changes')
    expect((await screen.findByRole('alert')).textContent).toBe(texts.editProfile.websiteInvalid)
    expect(website.getAttribute('aria-invalid')).toBe('true')
    expect(app.location.pathname).toBe('/edit-profile')
  }
  fill('Website', '')
  fill('Username', '')
  await press('Save Changes')
  expect((await screen.findByRole('alert')).textContent).toBe(texts.access.usernameInvalid)
  expect(server.sent('PATCH profiles')).toEqual([])

  fill('Username', 'MARA.X')
  expect(username.value).toBe('mara.x')
  fill('Full Name', ' Mara L. ')
  fill('Bio', 'Film.\nHills.')
  fill('Website', 'mara.example/hills')
  fireEvent.blur(website)
  expect(website.value).toBe('https://mara.example/hills')
  const { opened, open: release } = gate()
  server.on('PATCH profiles', async ({ body }) => {
    await opened
    stored = { ...stored, ...(body as object) }
    return stored
  })
  await press('Save Changes')
  expect((await screen.findByRole<HTMLButtonElement>('button', { name: 'Saving...' })).disabled).toBe(true)
  expect(server.sent('PATCH profiles')).toEqual([
    {
      ...{ username: 'mara.x', full_name: 'Mara L.', bio: 'Film.\nHills.' },
      website: 'https://mara.example/hills',
      updated_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    },
  ])
  server.on('GET profiles', () => [memberRow('mara.x', { id: ME })])
  await act(async () => release())
  await vi.waitFor(() => expect(app.location.pathname).toBe('/profile/mara.x'))
  await screen.findByRole('heading', { level: 1, name: 'mara.x' })
  await userEvent.click(screen.getByRole('link', { name: 'Home' }))
  await screen.findByRole('article', { name: 'Post by mara.x' })
  await press('Account menu')
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Profile' }))
  expect(app.location.pathname).toBe('/profile/mara.x')
})

const WAYS = ['Close', 'Cancel']

test.each(WAYS)(
  "EDIT-01 EDIT-04 '%s' goes back one page, saves nothing and keeps the draft",
  async (name) => {
    openApp('/', '/settings')
    await openForm()
    await screen.findByLabelText('Full Name')
    fill('Full Name', 'Somebody else')
    await press(name)
    expect(app.location.pathname).toBe('/settings')
    expect(server.sent('PATCH profiles')).toEqual([])
    // The draft survives, even a restart, until it is saved or discarded.
    openApp('/', '/settings')
    await openForm()
    await screen.findByLabelText('Full Name')
    expect(valueOfField('Full Name')).toBe('Somebody else')
    await press('Discard changes')
    expect(valueOfField('Full Name')).toBe('Mara Lindt')
    expect(hasDiscard()).toBe(false)
    await press(name)
    expect(app.location.pathname).toBe('/settings')
  },
)

test('EDIT-03 EDIT-04 a failure shows a banner and keeps the input, and saving opens the profile', async () => {
  openApp('/', '/settings')
  await openForm()
  await screen.findByLabelText('Full Name')
  fill('Full Name', 'Mara L.')
  fill('Bio', 'Film.')
  const save = async () => act(async () => screen.getByRole('button', { name: 'Save Changes' }).click())
  const accept = server.on
  server.on('PATCH profiles', () => Promise.reject(new TypeError('Failed to fetch')))
  await save()
  await vi.waitFor(() =>
    expect(screen.getByRole('alert').textContent).toBe('An error occurred while updating your profile'),
  )
  server.on('PATCH profiles', () => refusal(500, '53100', 'The disk is full'))
  await save()
  await vi.waitFor(() => expect(screen.getByRole('alert').textContent).toBe('The disk is full'))
  expect(document.querySelector('[aria-invalid]')).toBeNull()
  expect([valueOfField('Full Name'), valueOfField('Bio')]).toEqual(['Mara L.', 'Film.'])
  accept('PATCH profiles', ({ body }) => {
    stored = { ...stored, ...(body as object) }
    return stored
  })
  await save()
  await vi.waitFor(() => expect(app.location.pathname).toBe('/profile/mara'))
  expect(server.sent('PATCH profiles').at(-1)).toMatchObject({ full_name: 'Mara L.', bio: 'Film.' })
  await act(async () => app.go('/edit-profile'))
  await screen.findByLabelText('Bio')
  expect(valueOfField('Bio')).toBe('Film.')
  expect(hasDiscard()).toBe(false)
})

test('EDIT-04 a taken username shows a banner and an error at its field, until it is changed', async () => {
  const taken = 'This username is taken. Choose another one.'
  server.on('PATCH profiles', () => refusal(409, '23505', 'duplicate key value'))
  openApp('/', '/edit-profile')
  const field = await screen.findByLabelText('Username')
  fill('Username', 'ben')
  await press('Save Changes')
  await vi.waitFor(() => expect(screen.getAllByText(taken)).toHaveLength(2))
  const banners = screen.getAllByRole('alert').filter(({ className }) => className.includes('bg-accent-wash'))
  expect(banners).toHaveLength(1)
  expect(field.getAttribute('aria-invalid')).toBe('true')
  expect(pageText()).not.toContain('duplicate key value')
  fill('Username', 'benno')
  expect(pageText()).not.toContain(taken)
})

test('EDIT-04 keys typed while the profile is saved stay in the form for the next save', async () => {
  openApp('/', '/edit-profile')
  await screen.findByLabelText('Full Name')
  fill('Bio', 'Film.')
  const { opened, open: release } = gate()
  server.on('PATCH profiles', async ({ body }) => {
    await opened
    stored = { ...stored, ...(body as object) }
    return stored
  })
  await press('Save Changes')
  await vi.waitFor(() => expect(server.sent('PATCH profiles')).toHaveLength(1))
  fill('Bio', 'Film, and tape.')
  await act(async () => release())
  await vi.waitFor(() => expect(hasDiscard()).toBe(true))
  expect(app.location.pathname).toBe('/edit-profile')
  expect(valueOfField('Bio')).toBe('Film, and tape.')
})

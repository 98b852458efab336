import { act, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { logFailure } from '#/renderer/lib/core/logger'
import { texts } from '#/renderer/lib/texts'
import { openApp } from '#tests/renderer/app/open-app'
import { fill, pageText, press, settle } from '#tests/renderer/dom'
import { type FakeServer, fakeServer, ME, signOut } from '#tests/renderer/fake-server'

const MARKUP = '<script>alert(1)</script><img src=x onerror=alert(1)>'
const OFFLINE = 'The server cannot be reached. Check your connection and try again.'
const TAKEN = 'This username is taken. Choose another one.'
const NOOR = {
  'Full name': 'Noor Haddad',
  Username: 'noor',
  Email: 'noor@example.com',
  Password: 'correct horse',
}

type Answer = Response | 'offline'

let server: FakeServer

/** A failure of Supabase Auth. */
const failure = (status: number, body: object): Response =>
  new Response(JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/json', 'x-supabase-api-version': '2024-01-01' },
  })

const answer = (name: string, given: Answer) =>
  server.on(name, () => (given === 'offline' ? Promise.reject(new TypeError('Failed to fetch')) : given))

const field = (label: string) => screen.getByLabelText(label, { exact: true }) as HTMLInputElement
const describes = (label: string) =>
  (field(label).getAttribute('aria-describedby') ?? '')
    .split(' ')
    .map((id) => document.getElementById(id)?.textContent)
    .join(' ')
const logged = () =>
  vi.mocked(logFailure).mock.calls.map(([what, cause]) => [what, (cause as Error & { code: string }).code])
const alerts = () => screen.queryAllByRole('alert').map(({ textContent }) => textContent)

function fillAll(values: Record<string, string>): void {
  for (const [label, value] of Object.entries(values)) fill(label, value)
}

function expectKept(values: Record<string, string>): void {
  for (const [label, value] of Object.entries(values)) expect(field(label).value, label).toBe(value)
}

async function open(path: '/login' | '/signup'): Promise<void> {
  openApp(path)
  await screen.findByRole('button', { name: path === '/login' ? 'Sign in' : 'Sign up' })
}

beforeEach(() => {
  vi.mocked(logFailure).mockClear()
  server = fakeServer()
  server.on('POST username_available', () => true)
  signOut()
})

test.each(['/login', '/signup'] as const)(
  'AUTH-06 AUTH-08 on %s the password can be shown and hidden',
  async (path) => {
    await open(path)
    fill('Password', 'correct horse')
    const states = [field('Password').type]
    for (const name of ['Show password', 'Hide password']) {
      await press(name)
      states.push(field('Password').type)
    }
    expect(states).toEqual(['password', 'text', 'password'])
    expectKept({ Password: 'correct horse' })
  },
)

const MARA = { Email: 'mara@example.com', Password: 'correct horse' }

const SIGN_IN_FAILURES = [
  ['no words', failure(400, {}), 'An error occurred during login', 'refused'],
  [
    'a wrong password',
    failure(400, { code: 'invalid_credentials', msg: 'Invalid login credentials' }),
    'Invalid login credentials',
    'credentials',
  ],
  [
    'an address that is not confirmed',
    failure(400, { code: 'email_not_confirmed', msg: 'Email not confirmed' }),
    'Email not confirmed',
    'refused',
  ],
  ['a failing service', failure(503, {}), 'An error occurred during login', 'server'],
  [
    'maintenance',
    failure(503, { msg: 'Service is under maintenance' }),
    'Service is under maintenance',
    'server',
  ],
  [
    'too many tries',
    failure(429, { code: 'over_request_rate_limit', msg: 'Request rate limit reached' }),
    'Request rate limit reached',
    'rate-limited',
  ],
  ['markup', failure(400, { code: 'unexpected_failure', msg: MARKUP }), MARKUP, 'refused'],
  ['no connection', 'offline' as const, `An error occurred during login${OFFLINE}`, 'offline'],
] as const

test.each(SIGN_IN_FAILURES)(
  'AUTH-07 AUTH-13 AUTH-14 a sign-in that ends with %s says so, keeps what was typed, and can be repeated',
  async (_, given, words, code) => {
    await open('/login')
    fillAll(MARA)
    answer('POST token', given)
    await press('Sign in')
    await screen.findByRole('alert')
    expect(alerts()).toEqual([expect.stringContaining(words)])
    expect(logged()).toEqual([['sign in', code]])
    expect(document.querySelector('img[src=x]')).toBeNull()
    expectKept(MARA)
    server.on('POST token', () => new Promise(() => undefined))
    await press('Sign in')
    await screen.findByRole('button', { name: 'Signing in...' })
    expect(server.sent('POST token')).toHaveLength(2)
  },
)

describe('AUTH-08 /signup', () => {
  test('lowercases a username as it is typed, and names what it drops', async () => {
    await open('/signup')
    await userEvent.type(field('Username'), 'Ada.Love_lace 1815!')
    expect(field('Username').value).toBe('ada.love_lace1815')
    expect(describes('Username')).toContain(texts.auth.usernameRejected('!'))
    await userEvent.type(field('Username'), 'a')
    expect(describes('Username')).toContain(texts.auth.usernameHint)
    fill('Username', '<script>')
    expect(field('Username').value).toBe('script')
  })

  test.each([...Object.keys(NOOR), 'a blank Full name'])(
    'requires %s, which gets the focus',
    async (missing) => {
      const label = missing.replace('a blank ', '')
      await open('/signup')
      fillAll({ ...NOOR, [label]: missing === label ? '' : '   ' })
      await press('Sign up')
      await vi.waitFor(() => expect(document.activeElement).toBe(field(label)))
      expect(server.sent('POST signup')).toEqual([])
    },
  )

  test('reports texts over their limit instead of truncating them', async () => {
    const host = Array.from({ length: 3 }, () => 'd'.repeat(63)).join('.')
    const long = {
      ...NOOR,
      'Full name': 'n'.repeat(81),
      Username: 'u'.repeat(31),
      Email: `${'e'.repeat(60)}@${host}.com`,
    }
    await open('/signup')
    fillAll(long)
    await press('Sign up')
    await vi.waitFor(() =>
      expect(alerts()).toEqual([
        'A name has at most 80 characters.',
        'A username has 3 to 30 letters (a–z), digits, dots or underscores, and no dot at either end.',
        'An email address has at most 254 characters.',
      ]),
    )
    expectKept(long)
    fillAll({ ...NOOR, 'Full name': '🎞'.repeat(80) })
    expect(alerts()).toEqual([])
    await press('Sign up')
    await vi.waitFor(() =>
      expect(server.sent('POST signup')).toMatchObject([{ data: { full_name: '🎞'.repeat(80) } }]),
    )
  })

  test.each([
    ['密'.repeat(25), 'too-long'],
    ['P@ssw0rd2026', 'common'],
    ['Noor.Haddad1!', 'own-name'],
    ['noornoor', 'own-name'],
  ] as const)('AUTH-18 refuses the password %s while it is typed', async (password, problem) => {
    const words = texts.auth.passwordProblems[problem]
    await open('/signup')
    fillAll({ ...NOOR, Password: password })
    await vi.waitFor(() => expect(describes('Password')).toContain(words))
    await press('Sign up')
    await settle()
    expect(server.sent('POST signup')).toEqual([])
    expectKept({ Password: password })
    fill('Password', NOOR.Password)
    expect(describes('Password')).toContain(texts.auth.passwordHint)
  })
})

test('AUTH-09 a taken username is rejected before the account is created', async () => {
  server.on('POST username_available', () => false)
  await open('/signup')
  fillAll(NOOR)
  await press('Sign up')
  await screen.findByRole('alert')
  expect(alerts()).toEqual([TAKEN])
  expect(field('Username').getAttribute('aria-invalid')).toBe('true')
  expect(server.sent('POST signup')).toEqual([])
  expectKept(NOOR)
  fill('Username', 'noor_2')
  expect(alerts()).toEqual([])
})

const SIGN_UP_FAILURES = [
  ['no words', failure(400, {}), 'An error occurred during sign up', 'refused'],
  ['a failing service', failure(503, {}), 'An error occurred during sign up', 'server'],
  [
    'a mail that cannot be sent',
    failure(500, { code: 'unexpected_failure', msg: 'Error sending confirmation email' }),
    'Error sending confirmation email',
    'server',
  ],
  [
    'a weak password',
    failure(422, { code: 'weak_password', msg: 'Password should be at least 8 characters.' }),
    'Password should be at least 8 characters.',
    'weak-password',
  ],
  [
    'a known address',
    failure(422, { code: 'user_already_exists', msg: 'User already registered' }),
    'User already registered',
    'conflict',
  ],
  ['no connection', 'offline' as const, `An error occurred during sign up${OFFLINE}`, 'offline'],
] as const

test.each(SIGN_UP_FAILURES)(
  'AUTH-09 AUTH-14 a sign-up that ends with %s says so, keeps what was typed, and can be repeated',
  async (_, given, words, code) => {
    await open('/signup')
    fillAll(NOOR)
    answer('POST signup', given)
    await press('Sign up')
    await screen.findByRole('alert')
    expect(alerts()).toEqual([expect.stringContaining(words)])
    expect(logged()).toEqual([['sign up', code]])
    expectKept(NOOR)
    server.on('POST signup', () => new Promise(() => undefined))
    await press('Sign up')
    await screen.findByRole('button', { name: 'Signing up...' })
    expect(server.sent('POST signup')).toHaveLength(2)
  },
)

test('AUTH-08 AUTH-13 a sign-up sends name and username, also markup, and says where its mail was sent if the server confirms addresses', async () => {
  server.on('POST signup', () => ({
    id: ME,
    email: NOOR.Email,
    confirmation_sent_at: '2026-03-01T12:00:00Z',
  }))
  await open('/signup')
  fillAll({ ...NOOR, 'Full name': MARKUP, Email: `<script>${NOOR.Email}` })
  await press('Sign up')
  // An address with angle brackets is refused before anything is sent.
  await vi.waitFor(() => expect(document.activeElement).toBe(field('Email')))
  expect(server.sent('POST signup')).toEqual([])
  fill('Email', NOOR.Email)
  await press('Sign up')
  await screen.findByRole('heading', { name: 'Check your mail' })
  expect(pageText()).toContain(`We sent a message to ${NOOR.Email}.`)
  expect(server.sent('POST signup')).toMatchObject([{ data: { username: 'noor', full_name: MARKUP } }])
  act(() => screen.getByRole('link', { name: 'Sign in' }).click())
  await screen.findByRole('button', { name: 'Sign in' })
})

import { act, cleanup, screen } from '@testing-library/react'
import type { ReactElement } from 'react'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { ChooseUsernameForm } from '#/renderer/features/auth/components/ChooseUsernameForm'
import { ConnectDialog } from '#/renderer/features/auth/components/ConnectDialog'
import { LoginScreen } from '#/renderer/features/auth/LoginScreen'
import { SignupScreen } from '#/renderer/features/auth/SignupScreen'
import { useServerLink } from '#/renderer/features/auth/server-link-store'
import { useSessionStore } from '#/renderer/features/auth/session-store'
import { AppError } from '#/renderer/lib/core/errors'
import { logFailure } from '#/renderer/lib/core/logger'
import { useServerInfo } from '#/renderer/lib/core/server-info'
import { createQueryClient } from '#/renderer/lib/queries/query-client'
import { texts } from '#/renderer/lib/texts'
import type { ServerInfo } from '#/shared/server'
import { fill, pageText, press, settle, show as showIn, submit } from '#tests/renderer/dom'
import { REFUSED } from '../refusing-desktop'

const server = vi.hoisted(() => ({ answer: vi.fn() }))
const host = vi.hoisted(() => ({ abilities: null as { links: boolean } | null }))
const passwords = vi.hoisted(() => ({ load: vi.fn() }))

vi.mock('#/renderer/features/auth/new-password', async (load) => ({
  ...(await load<object>()),
  loadCommonPasswords: passwords.load,
}))
vi.mock('#/renderer/features/desktop', async () => ({
  desktop: (await import('../refusing-desktop')).refusingDesktop,
  useAbilities: () => host.abilities,
}))
vi.mock('#/renderer/lib/server/supabase', () => {
  // Accepts every request; the test decides the result.
  const request: object = new Proxy(() => undefined, {
    get: (_target, name) => (name === 'then' ? undefined : request),
    apply: () => request,
  })
  return { supabase: () => request, unwrap: server.answer }
})

const logged = () => vi.mocked(logFailure).mock.calls.map(([what]) => what)

/** Shows a screen alone, with this account of why the last session ended. */
function show(screen: ReactElement, end?: object): void {
  cleanup()
  const client = createQueryClient()
  if (end !== undefined) client.setQueryData(['session end', 'ended'], end)
  showIn(screen, { client })
}

/** Makes the next request wait; calling the returned function makes it fail. */
function fails(cause: Error): () => Promise<void> {
  let fail = (): void => undefined
  server.answer.mockReturnValueOnce(new Promise((_, reject) => (fail = () => reject(cause))))
  return async () => {
    fail()
    await settle()
  }
}

const typedIn = (label: string) => (screen.getByLabelText(label) as HTMLInputElement).value

beforeEach(() => {
  server.answer.mockReset()
  passwords.load.mockReset().mockResolvedValue(new Set())
  vi.mocked(logFailure).mockClear()
  useSessionStore.setState({ session: { status: 'signed-out' }, hold: null })
  useServerInfo.setState({ server: null })
})

test('AUTH-18 the form has its other rules for passwords if the list of common ones does not load', async () => {
  passwords.load.mockRejectedValueOnce(new Error('no connection'))
  show(<SignupScreen />)
  await settle()
  expect(logged()).toEqual(['load common passwords'])
  fill('Password', 'a'.repeat(73))
  expect(pageText()).toContain(texts.auth.passwordProblems['too-long'])
})

test('AUTH-08 sign-up shows all errors at their fields at once, in the words of the app', async () => {
  show(<SignupScreen />)
  expect(document.querySelector('form')?.noValidate).toBe(true)
  fill(texts.auth.email, 'mara')
  submit()
  await settle()
  const { missing, emailInvalid } = texts.auth
  for (const words of [missing.fullName, texts.access.usernameInvalid, emailInvalid, missing.password])
    expect(pageText()).toContain(words)
  expect(document.querySelectorAll('[aria-invalid="true"]')).toHaveLength(4)
  expect(server.answer).not.toHaveBeenCalled()
  fill(texts.auth.password, 'correct horse')
  fill(texts.auth.fullName, 'Mara')
  expect(pageText()).not.toContain(missing.password)
  expect(pageText()).not.toContain(missing.fullName)
  expect(pageText()).toContain(emailInvalid)
})

test('AUTH-01 AUTH-04 the forms show the tagline and link to each other', () => {
  useServerInfo.setState({
    server: {
      kind: 'embedded',
      url: 'http://127.0.0.1:5000',
      demo: [{ username: 'mara', fullName: 'Mara Lindt', email: 'mara@example.com', password: 'x' }],
    } as unknown as ServerInfo,
  })
  show(<LoginScreen />)
  for (const words of [texts.tagline, 'New here? Create an account', texts.auth.lookAround])
    expect(pageText()).toContain(words)
  show(<SignupScreen />)
  for (const words of [texts.tagline, 'Have an account? Sign in', texts.auth.usernameHint])
    expect(pageText()).toContain(words)
})

/** Opens the form for a forgotten password, and fills it in. */
async function openRecovery(): Promise<void> {
  show(<LoginScreen />)
  await press(texts.auth.forgot)
  expect(pageText()).toMatch(/Reset your password We send a code to your email address\./)
  fill(texts.auth.email, 'mara@example.com')
}

test.each([
  ['offline', new AppError('offline', '', ''), [texts.auth.recoverFailed, texts.access.offline]],
  [
    'refused',
    new AppError('rate-limited', 'Too many mails', ''),
    ['Too many mails', texts.access.tooManyTries],
  ],
  ['failing', new AppError('server', '', ''), [texts.auth.recoverFailed]],
  ['under maintenance', new AppError('server', 'Under maintenance', ''), ['Under maintenance']],
  [
    'without a mail server',
    new AppError('mail-refused', 'Email address "mara@example.com" cannot be used', ''),
    ['cannot be used', texts.access.mailRefused],
  ],
])(
  'AUTH-12 shows why a recovery code cannot be requested, keeps the address and can request again: %s',
  async (_, cause, words) => {
    await openRecovery()
    const failing = fails(cause)
    submit()
    await settle()
    expect(pageText()).toContain('Sending...')
    await failing()
    for (const each of words) expect(pageText()).toContain(each)
    expect(pageText()).toContain('Send code')
    expect(typedIn(texts.auth.email)).toBe('mara@example.com')
    expect(logged()).toEqual(['ask for a recovery code'])
    server.answer.mockResolvedValueOnce(null)
    submit()
    await settle()
    expect(pageText()).toContain(
      'If mara@example.com belongs to an account, a mail with a code or a link is on its way.',
    )
  },
)

test('DESK-15 asks for the code of the mail where links do not open the app', async () => {
  host.abilities = { links: false }
  await openRecovery()
  server.answer.mockResolvedValueOnce(null)
  submit()
  await settle()
  host.abilities = null
  expect(pageText()).toContain('Its link cannot open Vignette on this computer: enter the code.')
  expect(pageText()).not.toContain('a code or a link')
})

test.each([
  ['taken', new AppError('conflict', '', ''), texts.auth.usernameTaken],
  ['refused', new AppError('refused', 'Names are closed today', ''), 'Names are closed today'],
  ['offline', new AppError('offline', '', ''), texts.access.offline],
  ['failing', new AppError('server', '', ''), texts.auth.signUpFailed],
])(
  'AUTH-09 shows why a username cannot be chosen, and keeps it in the field: %s',
  async (_, cause, words) => {
    const user = { id: 'me', user_metadata: {} } as never
    useSessionStore.setState({ session: { status: 'needs-username', user, wanted: 'mara', isTaken: false } })
    show(<ChooseUsernameForm wanted="mara" isTaken={false} />)
    expect(pageText()).toContain('Choose a username Your account is there; only its name is missing.')
    const failing = fails(cause)
    submit()
    await settle()
    expect(pageText()).toContain(texts.auth.continuing)
    // The second request checks whether the profile exists anyway.
    server.answer.mockResolvedValueOnce(null)
    await failing()
    expect(pageText()).toContain(words)
    expect(pageText()).toContain('Continue')
    expect(screen.getByDisplayValue('mara')).toBeDefined()
    expect(logged()).toEqual(['choose username'])
    // The hold for the welcome was released.
    expect(useSessionStore.getState().hold).toBeNull()
  },
)

test('DESK-08 shows a server that the host cannot test as unreachable, and keeps the typed values', async () => {
  const chosen = { kind: 'chosen', url: 'https://old.example.com', publishableKey: 'sb_old' } as ServerInfo
  show(<ConnectDialog server={chosen} linked={null} onClose={() => undefined} />)
  expect(pageText()).toContain(texts.server.body)
  fill(texts.server.url, 'https://new.example.com')
  act(submit)
  expect(pageText()).toContain('Checking...')
  await settle()
  expect(pageText()).toContain(texts.server.problem('unreachable'))
  expect(typedIn(texts.server.url)).toBe('https://new.example.com')
  expect(vi.mocked(logFailure).mock.calls).toEqual([['connect to server', REFUSED]])
  await press(texts.server.useEmbedded)
  await settle()
  expect(logged()).toEqual(['connect to server', 'use embedded server'])
})

test('DESK-08 a link to a server only fills in the form, and says that a link did', async () => {
  const embedded = { kind: 'embedded' } as ServerInfo
  const linked = { url: 'https://linked.example.com', publishableKey: 'sb_linked' }
  show(<ConnectDialog server={embedded} linked={linked} onClose={() => undefined} />)
  expect(screen.getByDisplayValue('https://linked.example.com')).toBeDefined()
  expect(screen.getByDisplayValue('sb_linked')).toBeDefined()
  expect(pageText()).toContain('A link has filled in these values.')
  await settle()
  expect(logged()).toEqual([])
})

test('DESK-05 a link to a server that is opened while the form is open waits until that is closed, and replaces nothing that was typed', async () => {
  useServerInfo.setState({ server: { kind: 'embedded', url: 'http://localhost:1' } as ServerInfo })
  const linked = { url: 'https://linked.example.com', publishableKey: 'sb_linked' }
  show(<LoginScreen />)
  await press(texts.server.connect)
  await screen.findByText(texts.server.body)
  const button = screen.getByRole<HTMLButtonElement>('button', { name: 'Connect' })
  expect(button.disabled).toBe(true)
  fill(texts.server.url, 'https://typed.example.com')
  act(() => useServerLink.setState({ address: linked }))
  await settle()
  expect(typedIn(texts.server.url)).toBe('https://typed.example.com')
  expect(screen.queryByDisplayValue('https://linked.example.com')).toBeNull()
  expect(pageText()).toContain(texts.server.body)
  expect(pageText()).not.toContain('A link has filled in these values.')
  await press(texts.close)
  await screen.findByDisplayValue('https://linked.example.com')
  expect(pageText()).toContain('A link has filled in these values.')
  act(() => useServerLink.setState({ address: null }))
})

describe('AUTH-19 /login', () => {
  /** The sign-in form of a device whose last session ended for this reason; undefined if the member has signed out. */
  function signInForm(reason: string | null | undefined, kind: ServerInfo['kind'] = 'embedded'): string {
    const session = reason === undefined ? null : 'ended'
    localStorage.setItem(
      `vignette.device.${useServerInfo.getState().storageKey}`,
      JSON.stringify({ id: 'device', session }),
    )
    useServerInfo.setState({
      server: { kind, url: 'https://example.com', demo: [] } as unknown as ServerInfo,
    })
    show(<LoginScreen />, { reason, ended_at: '2026-11-26T10:12:00' })
    return pageText()
  }

  test('says what was changed and when, and how to recover the account', () => {
    const password = signInForm('password')
    expect(password).toContain(
      'Your password was changed on 26 November 2026, 10:12. This device was signed out.',
    )
    expect(password).toContain(texts.auth.ended.passwordNotYou)
    const email = signInForm('email')
    expect(email).toContain('Your e-mail was changed on 26 November 2026, 10:12.')
    expect(email).toContain(texts.auth.ended.emailNotYou)
    expect(signInForm('email', 'chosen')).not.toContain(texts.auth.ended.emailNotYou)
    expect(signInForm(null)).toContain('This device was signed out on 26 November 2026, 10:12.')
  })

  test('says nothing after Sign Out', () => {
    expect(signInForm(undefined)).not.toContain('This device was signed out')
  })
})

import { QueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
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
import { texts } from '#/renderer/lib/texts'
import type { ServerInfo } from '#/shared/server'
import { stubLocalStorage } from '../local-storage'
import { clearPage, draw, fill, press, read, send } from '../page-without-dom'
import { REFUSED } from '../refusing-desktop'

const server = vi.hoisted(() => ({ answer: vi.fn() }))
const host = vi.hoisted(() => ({ abilities: null as { links: boolean } | null }))
const passwords = vi.hoisted(() => ({ load: vi.fn() }))

vi.mock('react', async (load) => (await import('../page-without-dom')).withHooks(await load()))
vi.mock('react/jsx-dev-runtime', async (load) =>
  (await import('../page-without-dom')).withParts(await load()),
)
vi.mock('zustand', async (load) => (await import('../page-without-dom')).withStores(await load()))
vi.mock('#/renderer/components/Dialog', async () => (await import('../page-without-dom')).dialogs)
vi.mock('#/renderer/lib/core/logger', () => {
  const logFailure = vi.fn()
  const logIfFails = (what: string, work: Promise<unknown>) =>
    void work.catch((cause: unknown) => logFailure(what, cause))
  return { logFailure, logIfFails }
})
vi.mock('#/renderer/features/auth/new-password', async (load) => ({
  ...(await load<object>()),
  loadCommonPasswords: passwords.load,
}))
vi.mock('#/renderer/features/desktop', async () => ({
  desktop: (await import('../refusing-desktop')).refusingDesktop,
  useAbilities: () => host.abilities,
}))
vi.mock('@tanstack/react-query', async (load) => (await import('../page-hooks')).withMutations(await load()))
vi.mock('#/renderer/lib/server/supabase', () => {
  // Accepts every request; the test decides the result.
  const request: object = new Proxy(() => undefined, {
    get: (_target, name) => (name === 'then' ? undefined : request),
    apply: () => request,
  })
  return { supabase: () => request, unwrap: server.answer }
})

const settle = () => new Promise((resolve) => setTimeout(resolve, 0))
const logged = () => vi.mocked(logFailure).mock.calls.map(([what]) => what)

/** Renders again after pending promises. */
async function after(element: ReactNode): Promise<string> {
  await settle()
  return read(element)
}

beforeEach(() => {
  clearPage()
  stubLocalStorage()
  server.answer.mockReset()
  passwords.load.mockReset().mockResolvedValue(new Set())
  vi.mocked(logFailure).mockClear()
  useSessionStore.setState({ session: { status: 'signed-out' }, hold: null })
  useServerInfo.setState({ server: null })
})

test('AUTH-18 the form has its other rules for passwords if the list of common ones does not load', async () => {
  passwords.load.mockRejectedValueOnce(new Error('no connection'))
  const signup = <SignupScreen />
  draw(signup)
  await settle()
  expect(logged()).toEqual(['load common passwords'])
  fill('Password', 'a'.repeat(73))
  expect(read(signup)).toContain(texts.auth.passwordProblems['too-long'])
})

test('AUTH-08 sign-up shows all errors at their fields at once, in the words of the app', async () => {
  const screen = <SignupScreen />
  expect(draw(screen)).toContain('noValidate')
  fill(texts.auth.email, 'mara')
  draw(screen)
  send()
  const signup = await after(screen)
  const { missing, emailInvalid } = texts.auth
  for (const words of [missing.fullName, texts.access.usernameInvalid, emailInvalid, missing.password])
    expect(signup).toContain(words)
  expect(draw(screen).match(/aria-invalid="true"/g)).toHaveLength(4)
  expect(server.answer).not.toHaveBeenCalled()
  fill(texts.auth.password, 'correct horse')
  fill(texts.auth.fullName, 'Mara')
  const changed = read(screen)
  expect(changed).not.toContain(missing.password)
  expect(changed).not.toContain(missing.fullName)
  expect(changed).toContain(emailInvalid)
})

test('AUTH-01 AUTH-04 the forms show the tagline and link to each other', () => {
  useServerInfo.setState({
    server: {
      kind: 'embedded',
      url: 'http://127.0.0.1:5000',
      demo: [{ username: 'mara', fullName: 'Mara Lindt', email: 'mara@example.com', password: 'x' }],
    } as unknown as ServerInfo,
  })
  const login = read(<LoginScreen />)
  for (const words of [texts.tagline, 'New here? Create an account', texts.auth.lookAround])
    expect(login).toContain(words)
  clearPage()
  const signup = read(<SignupScreen />)
  for (const words of [texts.tagline, 'Have an account? Sign in', texts.auth.usernameHint])
    expect(signup).toContain(words)
})

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
    const screen = <LoginScreen />
    draw(screen)
    press(texts.auth.forgot)
    expect(read(screen)).toMatch(/Reset your password We send a code to your email address\./)
    fill(texts.auth.email, 'mara@example.com')
    draw(screen)
    server.answer.mockRejectedValueOnce(cause)
    send()
    expect(read(screen)).toContain('Sending...')
    const failed = await after(screen)
    for (const each of words) expect(failed).toContain(each)
    expect(failed).toContain('Send code')
    expect(draw(screen)).toContain('value="mara@example.com"')
    expect(logged()).toEqual(['ask for a recovery code'])
    server.answer.mockResolvedValueOnce(null)
    send()
    expect(await after(screen)).toContain(
      'If mara@example.com belongs to an account, a mail with a code or a link is on its way.',
    )
  },
)

test('DESK-15 asks for the code of the mail where links do not open the app', async () => {
  host.abilities = { links: false }
  const screen = <LoginScreen />
  draw(screen)
  press(texts.auth.forgot)
  fill(texts.auth.email, 'mara@example.com')
  draw(screen)
  server.answer.mockResolvedValueOnce(null)
  send()
  const asked = await after(screen)
  host.abilities = null
  expect(asked).toContain('Its link cannot open Vignette on this computer: enter the code.')
  expect(asked).not.toContain('a code or a link')
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
    const form = <ChooseUsernameForm wanted="mara" isTaken={false} />
    expect(read(form)).toContain('Choose a username Your account is there; only its name is missing.')
    // The second request checks whether the profile exists anyway.
    server.answer.mockRejectedValueOnce(cause).mockResolvedValueOnce(null)
    send()
    expect(read(form)).toContain(texts.auth.continuing)
    const failed = await after(form)
    expect(failed).toContain(words)
    expect(failed).toContain('Continue')
    expect(draw(form)).toContain('value="mara"')
    expect(logged()).toEqual(['choose username'])
    // The hold for the welcome was released.
    expect(useSessionStore.getState().hold).toBeNull()
  },
)

test('DESK-08 shows a server that the host cannot test as unreachable, and keeps the typed values', async () => {
  const chosen = { kind: 'chosen', url: 'https://old.example.com', publishableKey: 'sb_old' } as ServerInfo
  const dialog = <ConnectDialog server={chosen} linked={null} onClose={() => undefined} />
  expect(read(dialog)).toContain(texts.server.body)
  fill(texts.server.url, 'https://new.example.com')
  draw(dialog)
  send()
  expect(read(dialog)).toContain('Checking...')
  expect(await after(dialog)).toContain(texts.server.problem('unreachable'))
  expect(draw(dialog)).toContain('value="https://new.example.com"')
  expect(vi.mocked(logFailure).mock.calls).toEqual([['connect to server', REFUSED]])
  press(texts.server.useEmbedded)
  await settle()
  expect(logged()).toEqual(['connect to server', 'use embedded server'])
})

test('DESK-08 a link to a server only fills in the form, and says that a link did', async () => {
  const embedded = { kind: 'embedded' } as ServerInfo
  const linked = { url: 'https://linked.example.com', publishableKey: 'sb_linked' }
  const dialog = <ConnectDialog server={embedded} linked={linked} onClose={() => undefined} />
  const html = draw(dialog)
  expect(html).toContain('value="https://linked.example.com"')
  expect(html).toContain('value="sb_linked"')
  expect(read(dialog)).toContain('A link has filled in these values.')
  await settle()
  expect(logged()).toEqual([])
})

test('DESK-05 a link to a server that is opened while the form is open waits until that is closed, and replaces nothing that was typed', async () => {
  useServerInfo.setState({ server: { kind: 'embedded', url: 'http://localhost:1' } as ServerInfo })
  const linked = { url: 'https://linked.example.com', publishableKey: 'sb_linked' }
  const screen = <LoginScreen />
  draw(screen)
  press(texts.server.connect)
  await vi.waitFor(() => expect(draw(screen)).toContain(texts.server.body))
  fill(texts.server.url, 'https://typed.example.com')
  useServerLink.setState({ address: linked })
  const open = draw(screen)
  expect(open).toContain('value="https://typed.example.com"')
  expect(open).not.toContain('linked.example.com')
  expect(read(screen)).toContain(texts.server.body)
  expect(read(screen)).not.toContain('A link has filled in these values.')
  useServerLink.setState({ address: null })
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
    const client = new QueryClient()
    client.setQueryData(['session end', 'ended'], { reason, ended_at: '2026-11-26T10:12:00' })
    return read(<LoginScreen />, client)
  }

  test('says what was changed and when, and how to recover the account', () => {
    const password = signInForm('password')
    expect(password).toContain(
      'Your password was changed on 26 November 2026, 10:12. This device was signed out.',
    )
    expect(password).toContain(texts.auth.ended.passwordNotYou)
    clearPage()
    const email = signInForm('email')
    expect(email).toContain('Your e-mail was changed on 26 November 2026, 10:12.')
    expect(email).toContain(texts.auth.ended.emailNotYou)
    clearPage()
    expect(signInForm('email', 'chosen')).not.toContain(texts.auth.ended.emailNotYou)
    clearPage()
    expect(signInForm(null)).toContain('This device was signed out on 26 November 2026, 10:12.')
  })

  test('says nothing after Sign Out', () => {
    expect(signInForm(undefined)).not.toContain('This device was signed out')
  })
})

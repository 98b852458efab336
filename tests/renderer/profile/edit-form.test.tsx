import { beforeEach, expect, test, vi } from 'vitest'
import { EditProfileForm } from '#/renderer/features/profile/components/EditProfileForm'
import { AppError } from '#/renderer/lib/core/errors'
import { texts } from '#/renderer/lib/texts'
import { stubLocalStorage } from '../local-storage'
import { clearPage, draw, fill, read, send } from '../page-without-dom'

const server = vi.hoisted(() => ({ answer: vi.fn() }))

vi.mock('react', async (load) => (await import('../page-without-dom')).withHooks(await load()))
vi.mock('react/jsx-dev-runtime', async (load) =>
  (await import('../page-without-dom')).withParts(await load()),
)
vi.mock('#/renderer/components/TextArea', () => ({ TextArea: () => null }))
vi.mock('#/renderer/features/profile/components/PhotoField', () => ({ PhotoField: () => null }))
vi.mock('#/renderer/features/auth', async (load) => ({
  ...(await load<object>()),
  useMe: () => ({ id: 'me' }),
}))
vi.mock('#/renderer/lib/core/logger', () => ({ logFailure: vi.fn(), logIfFails: vi.fn() }))
vi.mock('@tanstack/react-query', async (load) => (await import('../page-hooks')).withMutations(await load()))
vi.mock('#/renderer/lib/server/supabase', () => {
  const request: object = new Proxy(() => undefined, {
    get: (_target, name) => (name === 'then' ? undefined : request),
    apply: () => request,
  })
  return { supabase: () => request, unwrap: server.answer }
})

const profile = {
  username: 'mara',
  full_name: 'Mara Lindt',
  bio: '',
  website: null,
  avatar_url: null,
  avatar_path: null,
}
const form = <EditProfileForm userId="me" profile={profile} onCancel={() => undefined} />

async function save(): Promise<string> {
  send()
  await new Promise((resolve) => setTimeout(resolve, 0))
  return draw(form)
}

beforeEach(() => {
  clearPage()
  stubLocalStorage()
  draw(form)
  fill(texts.auth.username, 'ben')
  draw(form)
})

test('EDIT-04 shows a banner and an error at the field when the username is taken, until it is changed', async () => {
  server.answer.mockRejectedValueOnce(new AppError('conflict', 'duplicate key value', ''))
  const markup = await save()
  expect(markup.split(texts.auth.usernameTaken)).toHaveLength(3)
  expect(markup).toMatch(/role="alert"[^>]*bg-accent-wash/)
  expect(markup).toContain('aria-invalid="true"')
  expect(markup).not.toContain('duplicate key value')
  fill(texts.auth.username, 'benno')
  expect(read(form)).not.toContain(texts.auth.usernameTaken)
})

test.each([
  [new AppError('server', 'The disk is full', ''), 'The disk is full'],
  [new AppError('server', '', ''), texts.editProfile.failed],
])('EDIT-04 shows the message of another failure in the banner: %s', async (failure, words) => {
  server.answer.mockRejectedValueOnce(failure)
  const markup = await save()
  expect(markup).toContain(words)
  expect(markup).not.toContain('aria-invalid=')
})

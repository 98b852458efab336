import { screen } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { EditProfileForm } from '#/renderer/features/profile/components/EditProfileForm'
import { AppError } from '#/renderer/lib/core/errors'
import { createQueryClient } from '#/renderer/lib/queries/query-client'
import { texts } from '#/renderer/lib/texts'
import { fill, pageText, settle, show, submit } from '#tests/renderer/dom'

const server = vi.hoisted(() => ({ answer: vi.fn() }))

vi.mock('#/renderer/components/TextArea', () => ({ TextArea: () => null }))
vi.mock('#/renderer/features/profile/components/PhotoField', () => ({ PhotoField: () => null }))
vi.mock('#/renderer/features/auth', async (load) => ({
  ...(await load<object>()),
  useMe: () => ({ id: 'me' }),
}))
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

async function save(): Promise<void> {
  submit()
  await settle()
}

beforeEach(() => {
  show(form, { client: createQueryClient() })
  fill(texts.auth.username, 'ben')
})

test('EDIT-04 shows a banner and an error at the field when the username is taken, until it is changed', async () => {
  server.answer.mockRejectedValueOnce(new AppError('conflict', 'duplicate key value', ''))
  await save()
  const field = screen.getByLabelText(texts.auth.username)
  expect(screen.getAllByText(texts.auth.usernameTaken)).toHaveLength(2)
  expect(screen.getAllByRole('alert').some(({ className }) => className.includes('bg-accent-wash'))).toBe(
    true,
  )
  expect(field.getAttribute('aria-invalid')).toBe('true')
  expect(pageText()).not.toContain('duplicate key value')
  fill(texts.auth.username, 'benno')
  expect(pageText()).not.toContain(texts.auth.usernameTaken)
})

test.each([
  [new AppError('server', 'The disk is full', ''), 'The disk is full'],
  [new AppError('server', '', ''), texts.editProfile.failed],
])('EDIT-04 shows the message of another failure in the banner: %s', async (failure, words) => {
  server.answer.mockRejectedValueOnce(failure)
  await save()
  expect(pageText()).toContain(words)
  expect(document.querySelector('[aria-invalid]')).toBeNull()
})

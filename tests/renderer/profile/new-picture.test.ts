import { expect, test, vi } from 'vitest'
import { useSaveProfileMutation } from '#/renderer/features/profile/mutations'
import { removeUnusedObjects } from '#/renderer/lib/outbox/unused-objects-store'
import { createQueryClient } from '#/renderer/lib/queries/query-client'
import { callHook } from '#tests/renderer/dom'

const update = vi.hoisted(() => vi.fn())

vi.mock('#/renderer/lib/media-store/upload/store', () => ({ upload: async () => 'me/new.webp' }))
vi.mock('#/renderer/lib/media-store', () => ({ removeMedia: vi.fn() }))
vi.mock('#/renderer/lib/outbox/unused-objects-store', () => ({ removeUnusedObjects: vi.fn() }))
vi.mock('#/renderer/features/auth', () => ({ refreshProfile: vi.fn() }))
vi.mock('#/renderer/lib/server/supabase', () => ({
  unwrap: (request: unknown) => request,
  supabase: () => ({ from: () => ({ update }) }),
}))

test('MEDIA-04 EDIT-03 the upload of a new picture removes what earlier uploads have left unused', async () => {
  update.mockReturnValue({ eq: () => ({ select: () => ({ single: async () => ({ username: 'mara' }) }) }) })
  callHook(() => useSaveProfileMutation('me'), createQueryClient()).mutate({
    typed: { username: 'mara', fullName: 'Mara', bio: '', website: '' },
    picture: new Blob(['1'], { type: 'image/webp' }),
    oldPath: null,
  })
  await vi.waitFor(() =>
    expect(update).toHaveBeenCalledWith(expect.objectContaining({ avatar_path: 'me/new.webp' })),
  )
  expect(removeUnusedObjects).toHaveBeenCalledOnce()
})

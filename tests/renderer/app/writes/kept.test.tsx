import type { QueryClient } from '@tanstack/react-query'
import type { ReactElement } from 'react'
import { beforeEach, expect, test, vi } from 'vitest'
import { dispatch as compose, useComposerStore } from '#/renderer/features/composer/composer-store'
import { newPhoto } from '#/renderer/features/composer/draft-photo'
import { useSharePostMutation } from '#/renderer/features/composer/mutations'
import { postKind } from '#/renderer/features/feed/mutations'
import { notificationKeys } from '#/renderer/features/notifications/keys'
import { useAnswerRequestMutation, useMarkVisibleAsRead } from '#/renderer/features/notifications/mutations'
import type { FollowRequest } from '#/renderer/features/notifications/queries'
import { commentKind, useSendCommentMutation } from '#/renderer/features/post/comments/mutations'
import { commentDraftOf } from '#/renderer/features/post/drafts'
import { useSaveProfileMutation } from '#/renderer/features/profile/mutations'
import { UnblockButton } from '#/renderer/features/safety/components/UnblockButton'
import { useBlockMutation } from '#/renderer/features/safety/mutations'
import type { SafetyListed } from '#/renderer/features/safety/queries'
import { SafetyRow } from '#/renderer/features/settings/components/SafetySection'
import { useDeleteAccountMutation, useProfileSetting } from '#/renderer/features/settings/mutations'
import { useShareStoryMutation } from '#/renderer/features/stories/components/MakeStoryDialog'
import { storyKeys } from '#/renderer/features/stories/keys'
import { storyKind, useRecordViewMutation } from '#/renderer/features/stories/mutations'
import { dispatchDraft, useStoryDraftStore } from '#/renderer/features/stories/story-draft-store'
import { AppError } from '#/renderer/lib/core/errors'
import { logFailure } from '#/renderer/lib/core/logger'
import { closeToast, useToast } from '#/renderer/lib/core/toasts'
import { removeFolder } from '#/renderer/lib/media-store/upload/store'
import { createQueryClient } from '#/renderer/lib/queries/query-client'
import { setSessionStatus } from '#/renderer/lib/server/session/session-status-store'
import { texts } from '#/renderer/lib/texts'
import { callHook, press, show } from '#tests/renderer/dom'
import { runOutbox } from '#tests/renderer/lib/outbox/running-outbox'
import { ada, authModule, messagesModule, PICTURE, STORY, server, settle, supabaseModule } from './server'

vi.mock('#/renderer/lib/server/supabase', async () => (await import('./server')).supabaseModule)
vi.mock('#/renderer/lib/media-store/upload/store', () => ({ removeFolder: vi.fn() }))
vi.mock('#/renderer/lib/outbox/upload-parts', () => ({ uploadParts: async () => ({}) }))
vi.mock('#/renderer/lib/core/server-info', async () => (await import('./server')).serverInfoModule)
vi.mock('#/renderer/features/auth', async () => (await import('./server')).authModule)
vi.mock('#/renderer/features/messages', async () => (await import('./server')).messagesModule)
vi.mock(
  '#/renderer/lib/outbox/store',
  async () => (await import('#tests/renderer/lib/outbox/memory-store')).storeModule,
)
vi.mock('#/renderer/features/feed', async () => ({
  ...(await import('#/renderer/features/feed/mutations')),
  showFreshFeed: async () => undefined,
}))
vi.mock('#/renderer/features/desktop', () => ({ desktop: {} }))
vi.mock('#/renderer/features/stories/story-files-store', () => ({
  readStory: () => null,
  keepStory: () => undefined,
  keepFiles: () => undefined,
}))
vi.mock('#/renderer/features/composer', () => ({ forgetComposer: async () => undefined }))

const LISTED = { ...ada, created_at: '2026-03-01T12:00:00Z' } as unknown as SafetyListed

let client: QueryClient

function has(key: readonly unknown[], data: unknown): void {
  client.setQueryData(key, data)
}

beforeEach(() => {
  client = createQueryClient()
  vi.mocked(logFailure).mockClear()
  server.write = async () => null
  closeToast()
  runOutbox(client, [commentKind, postKind, storyKind])
})

test('FEED-07 a failed comment stays in its field, and keeps its id when it is sent again', async () => {
  server.write = async () => Promise.reject(new AppError('offline', '', ''))
  const draft = commentDraftOf('me', 'p')
  draft.setText('What a morning')
  const first = draft.take()
  callHook(() => useSendCommentMutation('p'), client).mutate(first)
  await settle()
  expect(draft.take()).toEqual(first)
})

test('CREATE-04 STORY-01 a failed draft keeps all input, can be edited, and keeps its id when it is sent again', async () => {
  server.write = async () => Promise.reject(new AppError('server', '', ''))
  const media = { type: 'ready', media: { ...PICTURE, kind: 'image' } } as const
  compose({ type: 'typed', field: 'content', value: 'First light' })
  const photo = newPhoto(new Blob(['photo']), { note: null })
  compose({ type: 'photos-added', photos: [photo], problems: [] })
  compose({ type: 'photo-ready', id: photo.id, picture: PICTURE })
  dispatchDraft({ type: 'media', change: media })
  dispatchDraft({ type: 'typed', caption: 'Now' })
  const [post, story] = [useComposerStore.getState().draft, useStoryDraftStore.getState().draft]
  callHook(() => useSharePostMutation(), client).mutate()
  callHook(() => useShareStoryMutation(), client).mutate(story)
  // Loading code that is there already takes more tasks than `settle` waits for.
  await vi.waitFor(() => {
    expect(useComposerStore.getState().draft).toEqual({ ...post, wasSent: true, sending: null })
    expect(useStoryDraftStore.getState().draft).toEqual({ ...story, wasSent: true, sending: null })
  })
})

test('STORY-06 a view that is not stored is only logged; the next read of the strip corrects the screen', async () => {
  const pages = (isSeen: boolean) => ({ pages: [{ stories: [{ ...STORY, isSeen }] }], pageParams: [null] })
  has(storyKeys.strip, pages(false))
  const cause = new AppError('server', '', '')
  server.write = async () => Promise.reject(cause)
  callHook(() => useRecordViewMutation(), client).mutate('s')
  await settle()
  expect(client.getQueryData(storyKeys.strip)).toEqual(pages(true))
  expect(vi.mocked(logFailure).mock.calls).toEqual([['record story view', cause]])
})

test('SAFE-01 shows an error and keeps the block when unblocking fails', async () => {
  callHook(() => useBlockMutation(ada), client).mutate()
  await settle()
  const { toast } = useToast.getState()
  expect(toast?.text).toBe('ada is blocked.')
  const cause = new AppError('offline', '', '')
  server.write = async () => Promise.reject(cause)
  toast?.undo?.()
  await settle()
  expect(vi.mocked(logFailure).mock.calls).toEqual([['unblock', cause]])
  expect(useToast.getState().toast).toMatchObject({ text: 'That did not work. Please try again.' })
})

test.each<[string, string, ReactElement]>([
  ['unblock', 'Unblock', <UnblockButton key="button" member={ada} />],
  ['change blocked', 'Unblock ada', <SafetyRow key="row" list="blocked" member={LISTED} />],
  ['mute', 'Unmute ada', <SafetyRow key="row" list="muted" member={LISTED} />],
])('SAFE-04 a failed %s shows an error and keeps its button', async (name, button, element) => {
  const cause = new AppError('refused', '', '')
  server.write = async () => Promise.reject(cause)
  show(element, { client })
  await press(button)
  await settle()
  expect(vi.mocked(logFailure).mock.calls).toEqual([[name, cause]])
  expect(useToast.getState().toast?.text).toBe(texts.safety.failed)
  await press(button)
  await settle()
  expect(logFailure).toHaveBeenCalledTimes(2)
})

test('NOTE-01 an accepted request stays accepted when it cannot be marked as read', async () => {
  has(notificationKeys.requests, [{ requester_id: 'ada' }])
  const cause = new AppError('server', '', '')
  server.write = vi.fn().mockResolvedValueOnce(null).mockRejectedValueOnce(cause)
  callHook(() => useAnswerRequestMutation(), client).mutate({ requesterId: 'ada', isAccepted: true })
  await settle()
  expect(vi.mocked(logFailure).mock.calls).toEqual([['mark follow as seen', cause]])
  expect(client.getQueryData(notificationKeys.requests)).toEqual([])
})

test('NOTE-01 requests that cannot be marked as seen are only logged', async () => {
  has(notificationKeys.unread, 1)
  const cause = new AppError('server', '', '')
  server.write = async () => Promise.reject(cause)
  const requests = [{ requester_id: 'ada' }] as FollowRequest[]
  callHook(() => [useMarkVisibleAsRead(requests)], client)
  await settle()
  expect(vi.mocked(logFailure).mock.calls).toEqual([['mark request as seen', cause]])
})

test('EDIT-03 SET-02 shows the saved values although the profile cannot be refetched', async () => {
  const cause = new AppError('offline', '', '')
  authModule.refreshProfile.mockRejectedValue(cause)
  server.write = async () => ({ username: 'mara' })
  callHook(() => useSaveProfileMutation('me'), client).mutate({
    typed: { username: 'mara', fullName: 'Mara', bio: 'New', website: '' },
    picture: undefined,
    oldPath: null,
  })
  setSessionStatus({ status: 'confirmed', member: 'me' })
  callHook(() => useProfileSetting('is_private'), client).change(true)
  await settle()
  expect(authModule.refreshProfile.mock.calls).toEqual([
    [{ id: 'me', is_private: true }],
    [{ id: 'me', username: 'mara', full_name: 'Mara' }],
  ])
  expect(vi.mocked(logFailure).mock.calls).toEqual([
    ['refresh profile', cause],
    ['refresh profile', cause],
  ])
})

test('SET-03 signs out of a deleted account even if its local data cannot be removed', async () => {
  const cause = new Error('disk')
  messagesModule.forgetUnsent.mockRejectedValueOnce(cause)
  supabaseModule.forgetSession.mockRejectedValueOnce(cause)
  callHook(() => useDeleteAccountMutation(), client).mutate(null)
  await settle()
  expect(vi.mocked(logFailure).mock.calls).toEqual([
    ['forget what was unsent', cause],
    ['forget session', cause],
  ])
  expect(authModule.signOut).toHaveBeenCalled()
})

test('SET-03 a server that never finishes to clear an account is asked a limited number of times, and the account stays signed in', async () => {
  let requests = 0
  server.write = async () => {
    requests += 1
    return false
  }
  authModule.signOut.mockClear()
  callHook(() => useDeleteAccountMutation(), client).mutate(null)
  const state = () => client.getMutationCache().getAll().at(-1)?.state
  await expect.poll(() => state()?.status).toBe('error')
  expect(state()?.error).toMatchObject({ name: 'AppError', code: 'server' })
  expect(requests).toBe(10_000)
  expect(authModule.signOut).not.toHaveBeenCalled()
})

test('SET-03 MEDIA-04 the objects of an account are removed once no row refers to them, before the account itself', async () => {
  const done: string[] = []
  server.write = async () => {
    done.push('request')
    return null
  }
  vi.mocked(removeFolder).mockImplementationOnce(async (me) => {
    done.push(`folder of ${me}`)
  })
  callHook(() => useDeleteAccountMutation(), client).mutate(null)
  await settle()
  // clear_account() and delete_account().
  expect(done).toEqual(['request', 'folder of me', 'request'])
})

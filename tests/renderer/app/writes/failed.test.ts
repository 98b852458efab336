import type { QueryClient } from '@tanstack/react-query'
import { beforeEach, expect, test, vi } from 'vitest'
import { useSharePostMutation } from '#/renderer/features/composer/mutations'
import { postKind } from '#/renderer/features/feed/mutations'
import type { Message } from '#/renderer/features/messages/message'
import { useStartConversation } from '#/renderer/features/messages/mutations/conversations'
import { useReactMutation, useUnsendMutation } from '#/renderer/features/messages/mutations/messages'
import { notificationKeys } from '#/renderer/features/notifications/keys'
import { markReadOptions, useAnswerRequestMutation } from '#/renderer/features/notifications/mutations'
import { useFollow } from '#/renderer/features/people/components/FollowButton'
import { relationKeys } from '#/renderer/features/people/keys'
import { useRemoveFollowerMutation } from '#/renderer/features/people/mutations'
import {
  commentKind,
  useSendCommentMutation,
  useToggleCommentLike,
} from '#/renderer/features/post/comments/mutations'
import { commentDraftOf } from '#/renderer/features/post/drafts'
import { postKeys } from '#/renderer/features/post/keys'
import { altFields } from '#/renderer/features/post/model'
import { useDeletePostMutation, useEditPostMutation } from '#/renderer/features/post/mutations/posts'
import { useReactions } from '#/renderer/features/post/mutations/reactions'
import { useSaveProfileMutation } from '#/renderer/features/profile/mutations'
import { setMuted, useBlockMutation, useReportMutation } from '#/renderer/features/safety/mutations'
import {
  useAnswerSignInsMutation,
  useChangeEmailMutation,
  useChangePasswordMutation,
  useDeleteAccountMutation,
  useSignOutDeviceMutation,
} from '#/renderer/features/settings/mutations'
import { useShareStoryMutation } from '#/renderer/features/stories/components/MakeStoryDialog'
import { storyKeys } from '#/renderer/features/stories/keys'
import {
  storyKind,
  useDeleteStoryMutation,
  useSendReplyMutation,
} from '#/renderer/features/stories/mutations'
import { dispatchDraft, useStoryDraftStore } from '#/renderer/features/stories/story-draft-store'
import { AppError } from '#/renderer/lib/core/errors'
import { logFailure } from '#/renderer/lib/core/logger'
import { closeToast, useToast } from '#/renderer/lib/core/toasts'
import { createQueryClient } from '#/renderer/lib/queries/query-client'
import { texts } from '#/renderer/lib/texts'
import { callHook } from '#tests/renderer/dom'
import { runOutbox } from '#tests/renderer/lib/outbox/running-outbox'
import { ada, COMMENT, hold, PICTURE, POST, STORY, server, settle } from './server'

const page = vi.hoisted(() => ({ navigated: [] as unknown[] }))

vi.mock('react-router-dom', async (load) => ({
  ...(await load<object>()),
  useNavigate: () => (to: unknown) => page.navigated.push(to),
}))
vi.mock('#/renderer/lib/server/supabase', async () => (await import('./server')).supabaseModule)
vi.mock('#/renderer/lib/outbox/upload-parts', () => ({ uploadParts: async () => ({}) }))
vi.mock('#/renderer/lib/core/server-info', async () => (await import('./server')).serverInfoModule)
vi.mock('#/renderer/features/auth', async () => (await import('./server')).authModule)
vi.mock('#/renderer/features/messages', async () => (await import('./server')).messagesModule)
vi.mock('#/renderer/features/stories/story-reply', async () => ({
  StoryReplyContext: (await import('react')).createContext(
    (await vi.importActual<typeof import('#/renderer/features/messages')>('#/renderer/features/messages'))
      .replyToStory,
  ),
}))
vi.mock(
  '#/renderer/lib/outbox/store',
  async () => (await import('#tests/renderer/lib/outbox/memory-store')).storeModule,
)
vi.mock('#/renderer/features/feed', async () => ({
  ...(await import('#/renderer/features/feed/mutations')),
  showFreshFeed: async () => undefined,
}))
vi.mock('#/renderer/features/desktop', () => ({ desktop: {} }))

const MESSAGE = { id: 'm', conversation_id: 'c', sender_id: 'ada', reactions: [] } as unknown as Message

let client: QueryClient

function has(key: readonly unknown[], data: unknown): void {
  client.setQueryData(key, data)
}

/** All cached data, as screens show it. */
const shown = () =>
  client
    .getQueryCache()
    .getAll()
    .map(({ queryKey, state }) => [queryKey, state.data])

interface Write {
  /** Name of the failure in the log. */
  name: string
  /** Sets up the cached data. */
  before?: () => void
  act: () => unknown
  /** Whether the change is optimistic. */
  isShownAtOnce?: boolean
  /** The text of the toast. */
  toast?: string
}

const change = (value: string) => ({ value, currentPassword: null })

const WRITES: Record<string, Write> = {
  'FEED-04 a like': {
    name: 'like',
    before: () => has(postKeys.post('p'), POST),
    act: () => callHook(() => useReactions(POST), client).toggleLike(),
    isShownAtOnce: true,
    toast: texts.post.notStored.like,
  },
  'FEED-05 a saved post': {
    name: 'save',
    before: () => has(postKeys.post('p'), POST),
    act: () => callHook(() => useReactions(POST), client).toggleSave(),
    isShownAtOnce: true,
    toast: texts.post.notStored.save,
  },
  'FEED-07 a comment': {
    name: 'send comment',
    before: () => {
      has(postKeys.post('p'), POST)
      has(['comments', 'p'], { pages: [{ comments: [{ id: 'c' }] }], pageParams: [null] })
    },
    act: () => {
      const draft = commentDraftOf('me', 'p')
      draft.setText('What a morning')
      callHook(() => useSendCommentMutation('p'), client).mutate(draft.take())
    },
  },
  'FEED-15 a liked comment': {
    name: 'like comment',
    before: () => has(['comments', 'p'], { pages: [{ comments: [COMMENT] }], pageParams: [null] }),
    act: () => callHook(() => useToggleCommentLike('p'), client)(COMMENT),
    isShownAtOnce: true,
    toast: texts.post.notStored.like,
  },
  'PROF-13 an edited post': {
    name: 'edit post',
    before: () => has(postKeys.post('p'), POST),
    act: () =>
      callHook(() => useEditPostMutation(POST, false), client).mutate({
        content: 'x',
        location: '',
        ...altFields([]),
      }),
  },
  'PROF-13 a deleted post': {
    name: 'delete post',
    before: () => has(postKeys.post('p'), POST),
    act: () => callHook(() => useDeletePostMutation(), client).mutate('p'),
  },
  'CREATE-04 a post': {
    name: 'share post',
    act: () => callHook(() => useSharePostMutation(), client).mutate(),
  },
  'STORY-01 a story': {
    name: 'share story',
    before: () => dispatchDraft({ type: 'media', change: { type: 'ready', media: PICTURE } }),
    act: () => callHook(() => useShareStoryMutation(), client).mutate(useStoryDraftStore.getState().draft),
  },
  'STORY-09 a deleted story': {
    name: 'delete story',
    before: () => {
      has(storyKeys.strip, { pages: [{ stories: [STORY] }], pageParams: [null] })
      has(storyKeys.story('s'), STORY)
    },
    act: () => callHook(() => useDeleteStoryMutation(), client).mutate('s'),
  },
  'STORY-05 a reply to a story': {
    name: 'answer story',
    act: () => callHook(() => useSendReplyMutation(STORY), client).mutate({ id: 'r', text: 'Lovely' }),
  },
  'PROF-04 a follow': {
    name: 'follow',
    before: () => {
      server.read = () => new Promise(() => undefined)
      has(relationKeys.of('ada'), 'none')
      has(['profile', 'ada'], { id: 'ada', follower_count: 4, following_count: 0 })
    },
    act: () => callHook(() => useFollow(ada), client).toggle(),
    isShownAtOnce: true,
    toast: texts.people.notStored,
  },
  'PROF-12 a removed follower': {
    name: 'remove follower',
    before: () => {
      has(['people', 'followers', 'me'], {
        pages: [{ people: [{ id: 'ben' }, ada, { id: 'cyd' }] }, { people: [{ id: 'dan' }] }],
        pageParams: [null, null],
      })
      has(['profile', 'me'], { id: 'me', follower_count: 4, following_count: 0 })
    },
    act: () => callHook(() => useRemoveFollowerMutation(), client).mutate('ada'),
    isShownAtOnce: true,
  },
  'NOTE-01 an accepted request': {
    name: 'answer follow request',
    before: () => has(notificationKeys.requests, [{ requester_id: 'ben' }, { requester_id: 'ada' }]),
    act: () =>
      callHook(() => useAnswerRequestMutation(), client).mutate({ requesterId: 'ada', isAccepted: true }),
    isShownAtOnce: true,
  },
  'NOTE-01 a declined request': {
    name: 'answer follow request',
    before: () => has(notificationKeys.requests, [{ requester_id: 'ada' }, { requester_id: 'ben' }]),
    act: () =>
      callHook(() => useAnswerRequestMutation(), client).mutate({ requesterId: 'ada', isAccepted: false }),
    isShownAtOnce: true,
  },
  'NOTE-02 a notification that is read': {
    name: 'mark notification as read',
    before: () => {
      // Fewer than one update marks.
      server.read = async () => []
      has(notificationKeys.list, {
        pages: [{ groups: [{ group_key: 'n', read: false }], next: undefined }],
        pageParams: [null],
      })
    },
    act: () =>
      client
        .getMutationCache()
        .build(client, markReadOptions(client, 'me'))
        .execute('all')
        .catch(() => undefined),
    isShownAtOnce: true,
  },
  'SAFE-02 a mute': {
    name: 'mute',
    before: () => has(['muted'], ['ben']),
    act: () => setMuted(client, 'me', 'ada', true),
    isShownAtOnce: true,
    toast: texts.safety.failed,
  },
  'SAFE-01 a block': {
    name: 'block',
    before: () => has(['profile', 'ada'], ada),
    act: () => callHook(() => useBlockMutation(ada), client).mutate(),
  },
  'SAFE-03 a report': {
    name: 'report',
    act: () =>
      callHook(() => useReportMutation({ memberId: 'ada', postId: null }), client).mutate({
        reason: 'spam',
        details: '',
      }),
  },
  'MSG-02 a conversation': {
    name: 'open conversation',
    act: () => callHook(() => useStartConversation(), client).mutate('ada'),
  },
  'MSG-11 unsending a message': {
    name: 'unsend message',
    before: () => has(['messages', 'c'], { messages: [MESSAGE], hasOlder: false }),
    act: () => callHook(() => useUnsendMutation(), client).mutate(MESSAGE),
  },
  'MSG-11 a reaction to a message': {
    name: 'react to message',
    before: () => has(['messages', 'c'], { messages: [MESSAGE], hasOlder: false }),
    act: () => callHook(() => useReactMutation(MESSAGE), client).mutate('👍'),
  },
  'EDIT-03 a profile': {
    name: 'save profile',
    before: () => has(['profile', 'me'], { id: 'me', full_name: 'Me' }),
    act: () =>
      callHook(() => useSaveProfileMutation('me'), client).mutate({
        typed: { username: 'me', fullName: 'New', bio: '', website: '' },
        picture: undefined,
        oldPath: null,
      }),
  },
  'SET-03 a deleted account': {
    name: 'delete account',
    act: () => callHook(() => useDeleteAccountMutation(), client).mutate(null),
  },
  'AUTH-15 a new password': {
    name: 'change password',
    act: () => callHook(() => useChangePasswordMutation(), client).mutate(change('a longer horse')),
  },
  'AUTH-15 a new e-mail': {
    name: 'change email',
    act: () => callHook(() => useChangeEmailMutation(), client).mutate(change('new@example.com')),
  },
  'AUTH-19 a device that is signed out': {
    name: 'sign out a device',
    act: () => callHook(() => useSignOutDeviceMutation(), client).mutate('phone'),
  },
  'AUTH-19 an answer about a sign-in': {
    name: 'answer about a sign-in',
    act: () => callHook(() => useAnswerSignInsMutation(), client).mutate({ ids: ['phone'], wasMe: true }),
  },
}

beforeEach(() => {
  client = createQueryClient()
  vi.mocked(logFailure).mockClear()
  server.read = async () => null
  closeToast()
  runOutbox(client, [commentKind, postKind, storyKind])
})

const FAILURES = [
  new AppError('offline', '', ''),
  new AppError('refused', 'No', '400'),
  new AppError('server', 'Later', '500'),
]

test.each(
  Object.entries(WRITES).flatMap(([what, write]) =>
    FAILURES.map((failure) => [what, failure.code, failure, write] as const),
  ),
)('%s that fails (%s) is logged, and what was there is there again', async (_what, _code, failure, write) => {
  const { name, before, act, isShownAtOnce = false, toast } = write
  before?.()
  const was = structuredClone(shown())
  const release = hold(failure)
  act()
  await settle()
  expect(server.held, 'a request is under way').toBe(1)
  if (isShownAtOnce) expect(shown(), 'while it is under way').not.toEqual(was)
  else expect(shown(), 'while it is under way').toEqual(was)
  release()
  await settle()
  expect(shown()).toEqual(was)
  expect(vi.mocked(logFailure).mock.calls).toEqual([[name, failure]])
  expect(useToast.getState().toast?.text).toBe(toast)
  expect(page.navigated).toEqual([])
})

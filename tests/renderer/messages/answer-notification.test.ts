import type { QueryClient } from '@tanstack/react-query'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { answerNotification } from '#/renderer/features/messages/answer-notification'
import { AppError } from '#/renderer/lib/core/errors'
import { logFailure } from '#/renderer/lib/core/logger'
import { showToast } from '#/renderer/lib/core/toasts'
import { emitCaughtUp } from '#/renderer/lib/live/row-changes-store'
import { texts } from '#/renderer/lib/texts'

const CONVERSATION = '0193a6f2-5a51-7b7c-8d5f-000000000001'
const client = {} as QueryClient

const world = vi.hoisted(() => ({
  sent: [] as { conversation_id: string; content: string }[],
  sendFails: null as Error | null,
  marked: [] as unknown[][],
  markFails: null as Error | null,
  isOwnKey: true,
  refreshed: 0,
}))

vi.mock('#/renderer/lib/live', () => import('#/renderer/lib/live/row-changes-store'))
vi.mock('#/renderer/lib/core/toasts', () => ({ showToast: vi.fn() }))
vi.mock('#/renderer/features/messages/mutations/send', () => ({
  sendMessage: async (message: (typeof world.sent)[number]) => {
    world.sent.push(message)
    if (world.sendFails !== null) throw world.sendFails
    return 'waiting'
  },
}))
vi.mock('#/renderer/features/messages/mutations/messages', () => ({
  markConversationRead: async (...args: unknown[]) => {
    world.marked.push(args)
    if (world.markFails !== null) throw world.markFails
  },
}))
vi.mock('#/renderer/features/messages/drafts-store', () => ({
  draftKey: (id: string) => `draft ${id}`,
  isOwnKey: () => world.isOwnKey,
}))
vi.mock('#/renderer/features/messages/queries/live', () => ({ refetchUnread: () => (world.refreshed += 1) }))
vi.mock('#/renderer/features/messages/queries/conversations', () => ({
  refetchConversations: async () => undefined,
}))

beforeEach(() => {
  Object.assign(world, { sent: [], sendFails: null, marked: [], markFails: null, isOwnKey: true })
  world.refreshed = 0
  vi.mocked(logFailure).mockClear()
  vi.mocked(showToast).mockClear()
})

const MESSAGE = { created_at: '2100-01-01T00:00:00.000001+00:00', id: 'message' }

const ME = '0'.repeat(32)

const act = (reply: string | null, until: typeof MESSAGE | null = MESSAGE, owner: string | null = ME) =>
  answerNotification(client, { conversationId: CONVERSATION, reply, until, owner }, ME)

describe('DESK-10 actions in a notification', () => {
  test('sends a reply through the outbox and marks the conversation as read', async () => {
    await act('On my way')
    expect(world.sent).toMatchObject([{ conversation_id: CONVERSATION, content: 'On my way' }])
    // Up to the message of the notification, whatever the clock says.
    expect(world.marked).toEqual([[CONVERSATION, MESSAGE]])
    expect(world.refreshed).toBe(1)
    expect(showToast).not.toHaveBeenCalled()
  })

  test('‘Mark as Read’ sends nothing', async () => {
    await act(null)
    expect(world.sent).toEqual([])
    expect(world.marked).toHaveLength(1)
  })

  test('marks up to now for a notification of an earlier version of the app', async () => {
    await act(null, null)
    expect(world.marked).toEqual([[CONVERSATION, { created_at: expect.stringMatching(/^\d{4}-.*Z$/) }]])
  })

  test('shows a toast when a refused reply became the draft', async () => {
    world.sendFails = new AppError('forbidden', '', 'send message')
    await act('On my way')
    expect(showToast).toHaveBeenCalledExactlyOnceWith({ text: texts.messages.replyNotSent })
    expect(texts.messages.replyNotSent).toBe(
      'Your reply was not sent. It waits in the conversation as a draft.',
    )
    expect(logFailure).toHaveBeenCalledWith('send reply of a notification', world.sendFails)
  })

  test.each([
    ['of another member or server', '1'.repeat(32)],
    ['of an earlier version of the app', null],
  ])(
    'sends and marks nothing for a notification %s, and says that a reply was not sent',
    async (_, owner) => {
      await act(null, MESSAGE, owner)
      expect(showToast).not.toHaveBeenCalled()
      await act('At my home', MESSAGE, owner)
      expect([world.sent, world.marked]).toEqual([[], []])
      expect(showToast).toHaveBeenCalledExactlyOnceWith({ text: texts.messages.replyOfOther })
    },
  )

  test('sends nothing where the browser cannot tell for whom a notification was', async () => {
    await answerNotification(
      client,
      { conversationId: CONVERSATION, reply: null, until: MESSAGE, owner: null },
      undefined,
    )
    expect(world.marked).toEqual([])
  })

  test('shows no toast to the next member after its author signed out', async () => {
    world.sendFails = new AppError('session-expired', '', 'send message')
    world.isOwnKey = false
    await act('On my way')
    expect(showToast).not.toHaveBeenCalled()
  })

  test('marks as read again after a reconnect, up to the same time', async () => {
    world.markFails = new AppError('offline', '', 'mark')
    await act(null)
    expect(logFailure).toHaveBeenCalledExactlyOnceWith('mark messages as read', world.markFails)
    world.markFails = null
    emitCaughtUp()
    emitCaughtUp()
    await vi.waitFor(() => expect(world.refreshed).toBe(1))
    expect(world.marked).toHaveLength(2)
    expect(world.marked[1]).toEqual(world.marked[0])
  })
})

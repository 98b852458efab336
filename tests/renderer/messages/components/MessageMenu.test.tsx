import { expect, test, vi } from 'vitest'
import { useSessionStore } from '#/renderer/features/auth/session-store'
import { useMessageMenu } from '#/renderer/features/messages/components/MessageMenu'
import type { Conversation } from '#/renderer/features/messages/model/conversation'
import { callHook } from '../../page-without-dom'

vi.mock('react', async (load) => (await import('../../page-without-dom')).withHooks(await load()))
vi.mock('zustand', async (load) => (await import('../../page-without-dom')).withStores(await load()))

test('MSG-11 puts the focus on the button of a message without scrolling the conversation', () => {
  useSessionStore.setState({ session: { status: 'signed-in', me: { id: 'me' } } as never })
  const focus = vi.fn()
  const querySelector = vi.fn(() => ({ focus }))
  const list = { current: { querySelector } as unknown as HTMLElement }
  const menu = callHook(() => useMessageMenu({ id: 'conversation' } as Conversation, list))
  menu.focusButton('second')
  expect(querySelector).toHaveBeenCalledWith('[data-message-options="second"]')
  expect(focus).toHaveBeenCalledExactlyOnceWith({ preventScroll: true })
})

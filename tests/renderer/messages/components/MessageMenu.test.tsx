import { QueryClient } from '@tanstack/react-query'
import { act, fireEvent, screen } from '@testing-library/react'
import { useRef, useState } from 'react'
import { expect, test, vi } from 'vitest'
import { MessageItem } from '#/renderer/features/messages/components/MessageItem'
import { focusOptionsButton, useMessageMenu } from '#/renderer/features/messages/components/MessageMenu'
import type { Message } from '#/renderer/features/messages/message'
import type { Conversation } from '#/renderer/features/messages/model/conversation'
import { press, settle, show } from '#tests/renderer/dom'
import { ME, signIn } from '#tests/renderer/fake-server'
import { message, OTHER } from '../messages'

const CONVERSATION: Conversation = {
  id: 'conversation',
  kind: 'pair',
  other: { id: 'other', username: 'ben', full_name: 'Ben', avatar_url: null, avatar_path: null },
  otherId: 'other',
  epoch: 0,
  hasOtherWritten: true,
  lastMessageAt: '2026-03-01T12:00:00Z',
  latest: null,
  isUnread: false,
  mark: { mark_at: null, mark_id: null },
  folder: 'inbox',
  isPinned: false,
  deliveredAt: null,
  isGone: false,
}

let change: (messages: Message[]) => void

/** The messages of a conversation with their menu, and the field that has the focus of the page. */
function Messages({ first }: { first: Message[] }) {
  const [messages, setMessages] = useState(first)
  change = (next) => act(() => setMessages(next))
  const list = useRef<HTMLDivElement>(null)
  const menu = useMessageMenu(CONVERSATION, list, (id) =>
    messages.find((each) => each.id === id && each.deleted_at === null),
  )
  const actions = { openMenu: menu.open, show: () => undefined, keepPlace: () => undefined }
  return (
    <div ref={list}>
      {messages.map((each) => (
        <MessageItem
          key={each.id}
          row={{
            kind: 'message',
            key: each.id,
            message: each,
            delivery: 'sent',
            reason: '',
            isFirst: true,
            isLast: true,
            receipt: null,
          }}
          conversation={CONVERSATION}
          otherName="ben"
          actions={actions}
          isTabStop={false}
        />
      ))}
      <textarea data-focus-fallback="" />
      {menu.element}
    </div>
  )
}

const showMessages = (...messages: Message[]) => {
  signIn()
  show(<Messages first={messages} />, { client: new QueryClient() })
}

const buttonOf = (id: string) => document.querySelector(`[data-message-options=${id}]`) as HTMLElement
const entries = () => screen.getAllByRole('menuitem').map(({ textContent }) => textContent)

const [FIRST, SECOND] = [message('first', 1), message('second', 2)]

test('MSG-11 puts the focus on the button of a message without scrolling the conversation', () => {
  const focus = vi.fn()
  const querySelector = vi.fn(() => ({ focus }))
  focusOptionsButton({ querySelector } as unknown as HTMLElement, 'second')
  expect(querySelector).toHaveBeenCalledWith('[data-message-options="second"]')
  expect(focus).toHaveBeenCalledExactlyOnceWith({ preventScroll: true })
})

test('MSG-11 a menu opens when the mouse is pressed: the message may move before it is released', () => {
  showMessages(FIRST, SECOND)
  for (const other of [{ button: 2 }, { button: 0, ctrlKey: true }, { button: 0, pointerType: 'touch' }]) {
    fireEvent.pointerDown(buttonOf('first'), { pointerType: 'mouse', ...other })
    expect(screen.queryByRole('menu')).toBeNull()
  }
  fireEvent.pointerDown(buttonOf('first'), { button: 0, pointerType: 'mouse' })
  expect(entries()).toEqual(['Reply', 'Forward', 'Copy'])
})

test('MSG-11 MSG-14 an open menu stays and follows its message while rows arrive, change and are removed', async () => {
  const own = { ...FIRST, sender_id: ME, created_at: new Date().toISOString() }
  showMessages(own, SECOND)
  await press('Message options', buttonOf('first').parentElement as HTMLElement)
  const menu = screen.getByRole('menu')
  expect(entries()).toContain('Edit')
  change([
    message('earlier', 0),
    { ...own, read: true, reactions: [{ member_id: OTHER, emoji: '❤️' }] },
    message('third', 3),
  ])
  expect(screen.getByRole('menu')).toBe(menu)
  expect(entries()).toContain('Edit')
  const writeText = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue()
  change([{ ...own, content: 'What it says now' }])
  fireEvent.click(screen.getByRole('menuitem', { name: 'Copy' }))
  expect(writeText).toHaveBeenCalledExactlyOnceWith('What it says now')
})

test('MSG-11 a menu closes when its message is unsent, and the field takes the focus', async () => {
  showMessages(FIRST, SECOND)
  fireEvent.pointerDown(buttonOf('first'), { button: 0, pointerType: 'mouse' })
  screen.getByRole('menu').focus()
  change([{ ...FIRST, content: '', deleted_at: '2026-03-01T12:01:00Z' }, SECOND])
  expect(screen.queryByRole('menu')).toBeNull()
  await vi.waitFor(() => expect(document.activeElement?.tagName).toBe('TEXTAREA'))
  change([FIRST, SECOND])
  await settle()
  expect(screen.queryByRole('menu')).toBeNull()
})

import { expect, test, vi } from 'vitest'
import { focusOptionsButton } from '#/renderer/features/messages/components/MessageMenu'

test('MSG-11 puts the focus on the button of a message without scrolling the conversation', () => {
  const focus = vi.fn()
  const querySelector = vi.fn(() => ({ focus }))
  focusOptionsButton({ querySelector } as unknown as HTMLElement, 'second')
  expect(querySelector).toHaveBeenCalledWith('[data-message-options="second"]')
  expect(focus).toHaveBeenCalledExactlyOnceWith({ preventScroll: true })
})

import { act, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test, vi } from 'vitest'
import { commentKind } from '#/renderer/features/post/comments/mutations'
import { CommentForm } from '#/renderer/features/post/components/CommentForm'
import { logFailure } from '#/renderer/lib/core/logger'
import { useToast } from '#/renderer/lib/core/toasts'
import { connection } from '#/renderer/lib/live'
import { createQueryClient } from '#/renderer/lib/queries/query-client'
import { texts } from '#/renderer/lib/texts'
import { gate } from '#tests/gate'
import { fill, pageText, press, show } from '#tests/renderer/dom'
import { author, type FakeServer, fakeServer, refusal, signIn } from '#tests/renderer/fake-server'
import { runOutbox } from '#tests/renderer/lib/outbox/running-outbox'

vi.mock(
  '#/renderer/lib/outbox/store',
  async () => (await import('#tests/renderer/lib/outbox/memory-store')).storeModule,
)

let server: FakeServer

const field = () =>
  screen.getByRole('textbox', { name: texts.post.commentPlaceholder }) as HTMLTextAreaElement
const sendButton = () => screen.getByRole('button', { name: texts.post.submitComment }) as HTMLButtonElement
const sent = () => server.sent('POST comments').map((body) => (body as { content: string }).content)
const hasSent = (...contents: string[]) => vi.waitFor(() => expect(sent()).toEqual(contents))

/** Holds the next comment; the returned function answers it. */
function holdNext(answer: () => unknown): () => Promise<void> {
  const { opened: released, open: release } = gate()
  server.on('POST comments', async () => {
    server.on('POST comments', stored)
    await released
    return answer()
  })
  return () => act(async () => release())
}

const stored = () => [{ created_at: '2026-03-01T12:00:00Z' }]

beforeEach(() => {
  server = fakeServer()
  server.on('POST comments', stored)
  signIn()
  connection.setState({ state: 'online', retryAt: null })
  const client = createQueryClient()
  runOutbox(client, [commentKind])
  show(<CommentForm postId="p" onSent={() => undefined} />, { client })
})

test('FEED-06 FEED-07 a comment leaves its field at once: keys typed meanwhile are the next one, and a failure loses neither', async () => {
  const release = holdNext(stored)
  await userEvent.type(field(), 'First{Enter}')
  await hasSent('First')
  expect(field().value).toBe('')
  await userEvent.type(field(), 'Second')
  await userEvent.keyboard('{Enter}Third')
  expect(sent()).toEqual(['First'])
  await release()
  await hasSent('First', 'Second')
  await vi.waitFor(() => expect(sendButton().disabled).toBe(false))
  expect(field().value).toBe('Third')

  const refuse = holdNext(() => refusal(403, 'PT403', 'Not now.'))
  await userEvent.keyboard('{Enter}')
  await hasSent('First', 'Second', 'Third')
  await userEvent.keyboard('Fourth')
  await refuse()
  const failed = await screen.findByRole('alert')
  expect(failed.textContent).toContain(texts.outbox.notSent)
  expect(failed.textContent).toContain('Third')
  await userEvent.keyboard(', then')
  expect(field().value).toBe('Fourth, then')
  await press(texts.outbox.edit, failed)
  expect(screen.queryByRole('alert')).toBeNull()
  expect(field().value).toBe('Third Fourth, then')
  await userEvent.keyboard('{Enter}')
  await hasSent('First', 'Second', 'Third', 'Third Fourth, then')
  await vi.waitFor(() => expect(field().value).toBe(''))
})

test('SAFE-06 a comment beyond the quota shows a message and stays in its field', async () => {
  server.on('POST comments', () => refusal(429, 'PT429', 'You have written too many comments'))
  await userEvent.type(field(), 'One more')
  await press(texts.post.submitComment)
  await vi.waitFor(() => expect(field().value).toBe('One more'))
  expect(useToast.getState().toast?.text).toBe('You are doing this too fast. Wait a while, then try again.')
  expect(sent()).toEqual(['One more'])
  expect(logFailure).toHaveBeenCalledWith('send comment', expect.objectContaining({ code: 'rate-limited' }))

  server.on('POST comments', stored)
  await press(texts.post.submitComment)
  await hasSent('One more', 'One more')
  await vi.waitFor(() => expect(field().value).toBe(''))
})

test('FEED-06 Shift and Enter insert a line break', async () => {
  await userEvent.type(field(), 'for{Shift>}{Enter}{/Shift}this')
  expect(sent()).toEqual([])
  await userEvent.keyboard('{Enter}')
  await hasSent('for\nthis')
})

test("NOTE-05 '@' suggests members in a comment: Tab or Enter takes one, and then Enter sends", async () => {
  server.on('POST search_profiles', () => [
    { id: 'pia', ...author('pia.z') },
    { id: 'pim', ...author('pia.a') },
  ])
  const options = () => screen.queryAllByRole('option')
  const isListed = () => vi.waitFor(() => expect(options()).toHaveLength(2))
  await userEvent.type(field(), 'Thanks @pi')
  await isListed()
  expect(options()[0]?.getAttribute('aria-selected')).toBe('true')
  // Escape closes the list only.
  await userEvent.keyboard('{Escape}')
  expect(options()).toEqual([])
  expect(document.activeElement).toBe(field())
  await userEvent.keyboard('a')
  await isListed()
  await userEvent.keyboard('{ArrowDown}')
  expect(options()[1]?.getAttribute('aria-selected')).toBe('true')
  expect(field().getAttribute('aria-activedescendant')).toMatch(/-1$/)
  await userEvent.keyboard('{Tab}')
  expect(field().value).toBe('Thanks @pia.a ')
  await userEvent.keyboard('{Enter}')
  await hasSent('Thanks @pia.a')
  expect(field().value).toBe('')

  fill(texts.post.commentPlaceholder, 'And @pia')
  await isListed()
  await userEvent.click(
    within(screen.getByRole('listbox', { name: 'Members' })).getAllByRole('option')[0] as HTMLElement,
  )
  expect(field().value).toBe('And @pia.z ')
  expect(document.activeElement).toBe(field())
  expect(pageText()).not.toContain(texts.outbox.notSent)
})

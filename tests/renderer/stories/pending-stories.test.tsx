import { cleanup } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { editState } from '#/renderer/features/stories/address'
import { PendingStories } from '#/renderer/features/stories/components/PendingStories'
import type { NewStory } from '#/renderer/features/stories/mutations'
import { connection } from '#/renderer/lib/live'
import { discardRow, type OutboxRow, retryRow } from '#/renderer/lib/outbox'
import { pendingRows } from '#/renderer/lib/outbox/pending'
import { texts } from '#/renderer/lib/texts'
import { pageText, press, show } from '#tests/renderer/dom'

const page = vi.hoisted(() => ({ navigated: [] as unknown[] }))

vi.mock('react-router-dom', async (load) => ({
  ...(await load<object>()),
  useNavigate:
    () =>
    async (...to: unknown[]) =>
      void page.navigated.push(to),
}))
vi.mock('#/renderer/features/auth', () => ({ useMe: () => ({ id: 'me' }) }))
vi.mock('#/renderer/features/messages', () => ({}))
vi.mock('#/renderer/lib/server/supabase', () => ({}))
vi.mock('#/renderer/lib/outbox', async (load) => ({
  ...(await load<object>()),
  discardRow: vi.fn(async () => null),
  retryRow: vi.fn(async () => undefined),
}))

const { outbox, strip, tryAgain } = texts

function row(state: OutboxRow['state'], rest: Partial<OutboxRow<NewStory>> = {}): OutboxRow<NewStory> {
  const media = { kind: 'image', dataUrl: 'data:,', thumbnailUrl: 'data:,', width: 9, height: 16 } as const
  return {
    id: 's',
    scope: 'story',
    kind: 'story',
    payload: { media, caption: 'Low tide', replaces: [] },
    createdAt: '2026-03-01T12:00:00Z',
    state,
    ...rest,
  }
}

function shown(...rows: OutboxRow[]): string {
  pendingRows.setState(rows, true)
  cleanup()
  show(<PendingStories />)
  return pageText()
}

beforeEach(() => {
  page.navigated = []
  connection.setState({ state: 'lost', retryAt: null })
})

test('STORY-10 without pending stories nothing is shown, also while a message is pending', () => {
  expect(shown()).toBe('')
  expect(shown(row('waiting', { kind: 'message' }))).toBe('')
})

test('STORY-10 a pending story shows its caption and that it waits for the connection, and can be discarded', async () => {
  const list = shown(row('waiting'))
  for (const text of [strip.pending, 'Low tide', outbox.waiting]) expect(list).toContain(text)
  expect(list).not.toContain(tryAgain)
  await press(outbox.discard)
  expect(discardRow).toHaveBeenCalledExactlyOnceWith('s')
})

test('STORY-10 a refused story shows the reason, and can be sent again or edited', async () => {
  const list = shown(row('refused', { reason: 'Too many stories.' }))
  for (const text of [outbox.notSent, 'Too many stories.', outbox.discard]) expect(list).toContain(text)
  await press(tryAgain)
  expect(retryRow).toHaveBeenCalledExactlyOnceWith('s')
  await press(outbox.edit)
  expect(page.navigated).toEqual([[{ search: '?story=new' }, { state: editState('s') }]])
})

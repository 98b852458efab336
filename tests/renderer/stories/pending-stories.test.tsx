import { beforeEach, expect, test, vi } from 'vitest'
import { editState } from '#/renderer/features/stories/address'
import { PendingStories } from '#/renderer/features/stories/components/PendingStories'
import type { NewStory } from '#/renderer/features/stories/mutations'
import { connection } from '#/renderer/lib/live'
import { discardRow, type OutboxRow, retryRow } from '#/renderer/lib/outbox'
import { pendingRows } from '#/renderer/lib/outbox/pending'
import { texts } from '#/renderer/lib/texts'
import { clearPage, press, read } from '../page-without-dom'

const page = vi.hoisted(() => ({ navigated: [] as unknown[] }))

vi.mock('react', async (load) => (await import('../page-without-dom')).withHooks(await load()))
vi.mock('react/jsx-dev-runtime', async (load) =>
  (await import('../page-without-dom')).withParts(await load()),
)
vi.mock('react-router-dom', async (load) => ({
  ...(await load<object>()),
  useNavigate:
    () =>
    async (...to: unknown[]) =>
      void page.navigated.push(to),
}))
vi.mock('zustand', async (load) => (await import('../page-without-dom')).withStores(await load()))
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
  return read(<PendingStories />)
}

beforeEach(() => {
  clearPage()
  page.navigated = []
  connection.setState({ state: 'lost', retryAt: null })
  vi.stubGlobal('navigator', { onLine: true })
})

test('STORY-10 without pending stories nothing is shown, also while a message is pending', () => {
  expect(shown()).toBe('')
  expect(shown(row('waiting', { kind: 'message' }))).toBe('')
})

test('STORY-10 a pending story shows its caption and that it waits for the connection, and can be discarded', () => {
  const list = shown(row('waiting'))
  for (const text of [strip.pending, 'Low tide', outbox.waiting]) expect(list).toContain(text)
  expect(list).not.toContain(tryAgain)
  press(outbox.discard)
  expect(discardRow).toHaveBeenCalledExactlyOnceWith('s')
})

test('STORY-10 a refused story shows the reason, and can be sent again or edited', () => {
  const list = shown(row('refused', { reason: 'Too many stories.' }))
  for (const text of [outbox.notSent, 'Too many stories.', outbox.discard]) expect(list).toContain(text)
  press(tryAgain)
  expect(retryRow).toHaveBeenCalledExactlyOnceWith('s')
  press(outbox.edit)
  expect(page.navigated).toEqual([[{ search: '?story=new' }, { state: editState('s') }]])
})

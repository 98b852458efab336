import { act, screen } from '@testing-library/react'
import { type Location, useLocation } from 'react-router-dom'
import { beforeEach, expect, test, vi } from 'vitest'
import { useReturnedForms } from '#/renderer/app/useReturnedForms'
import { hasPostDraft } from '#/renderer/features/composer'
import { editStoryState, hasStoryDraft } from '#/renderer/features/stories'
import { useToast } from '#/renderer/lib/core/toasts'
import { reportUnshared } from '#/renderer/lib/local/unshared-post-store'
import type { OutboxRow } from '#/renderer/lib/outbox'
import { pendingRows } from '#/renderer/lib/outbox/pending'
import { texts } from '#/renderer/lib/texts'
import { settle, show } from '#tests/renderer/dom'

vi.mock('#/renderer/features/composer', () => ({ hasPostDraft: vi.fn() }))
vi.mock('#/renderer/features/stories', async (load) => ({
  ...(await load<object>()),
  hasStoryDraft: vi.fn(),
}))

const page = { current: {} as Location }

function Page() {
  useReturnedForms('me')
  page.current = useLocation()
  return <input aria-label="Search" />
}

const row = (
  kind: string,
  state: OutboxRow['state'],
  reason?: string,
  payload: unknown = { photos: [] },
): OutboxRow => ({
  id: 'id',
  scope: kind,
  kind,
  payload,
  createdAt: '2026-03-01T12:00:00Z',
  state,
  ...(reason !== undefined && { reason }),
})

/** The outbox gives up a row that it has tried. */
async function fail(kind: string, reason?: string, payload?: unknown): Promise<void> {
  act(() => pendingRows.setState([row(kind, 'sending', undefined, payload)], true))
  act(() => pendingRows.setState([row(kind, 'refused', reason, payload)], true))
  await settle()
}

beforeEach(() => {
  history.replaceState(null, '', '/')
  pendingRows.setState([], true)
  vi.mocked(hasPostDraft).mockReturnValue(false)
  vi.mocked(hasStoryDraft).mockResolvedValue(false)
  show(<Page />)
})

const expectNothing = () => expect(page.current).toMatchObject({ pathname: '/', search: '', state: null })

test('CREATE-10 a queued post that could not be sent opens its form', async () => {
  await fail('post')
  expect(page.current).toMatchObject({ pathname: '/create', state: { edit: 'id' } })
})

test('CREATE-10 a post with a video opens its form too', async () => {
  await fail('post', '', { photos: [{ video: new Blob() }] })
  expect(page.current).toMatchObject({ pathname: '/create', state: { edit: 'id' } })
})

test('STORY-10 a queued story that could not be sent opens its form', async () => {
  await fail('story')
  expect(page.current).toMatchObject({ pathname: '/', search: '?story=new', state: editStoryState('id') })
})

const KINDS = ['post', 'story']

test.each(KINDS)('CREATE-10 STORY-10 a %s opens no form while the member types elsewhere', async (kind) => {
  act(() => screen.getByLabelText('Search').focus())
  await fail(kind)
  expectNothing()
  expect(document.activeElement).toBe(screen.getByLabelText('Search'))
})

test.each(KINDS)('CREATE-10 STORY-10 a %s opens no form over a dialog or a menu', async (kind) => {
  for (const role of ['dialog', 'alertdialog', 'menu']) {
    const layer = document.body.appendChild(document.createElement('div'))
    layer.setAttribute('role', role)
    await fail(kind)
    expectNothing()
    layer.remove()
  }
})

test.each(KINDS)('CREATE-10 STORY-10 a %s opens no form while that has another draft', async (kind) => {
  vi.mocked(hasPostDraft).mockReturnValue(true)
  vi.mocked(hasStoryDraft).mockResolvedValue(true)
  await fail(kind)
  expectNothing()
})

test.each(KINDS)(
  'CREATE-10 STORY-10 a %s that the server refuses with a reason stays in its list',
  async (kind) => {
    await fail(kind, 'You are posting too fast.')
    expectNothing()
  },
)

test('CREATE-10 a post that had failed before the start opens no form', async () => {
  act(() => pendingRows.setState([row('post', 'refused')], true))
  await settle()
  expectNothing()
})

test('CREATE-10 a message opens no form', async () => {
  await fail('message')
  expectNothing()
})

test('CREATE-07 a post whose photo failed after Share opens the composer, or says so while the member types', async () => {
  act(() => screen.getByLabelText('Search').focus())
  act(reportUnshared)
  await settle()
  expectNothing()
  expect(useToast.getState().toast?.text).toBe(texts.outbox.notShared)
  act(() => screen.getByLabelText('Search').blur())
  act(reportUnshared)
  await settle()
  expect(page.current.pathname).toBe('/create')
})

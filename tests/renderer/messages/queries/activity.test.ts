import { expect, test, vi } from 'vitest'
import { activityRange, useActivityQuery } from '#/renderer/features/messages/queries/activity'

const page = vi.hoisted(() => ({ profile: { show_activity_status: true } }))

vi.mock('@tanstack/react-query', async (importOriginal) => ({
  ...(await importOriginal<object>()),
  useQuery: (options: unknown) => options,
}))
vi.mock('#/renderer/features/auth', () => ({ useMe: () => ({ id: 'me', profile: page.profile }) }))

/** What a query shows until its answer is there. */
function placeholder(query: unknown, earlier: unknown): unknown {
  const { placeholderData } = query as { placeholderData: (previous: unknown) => unknown }
  return placeholderData(earlier)
}

test.each([
  [0, 14, 0, 20],
  [3, 18, 0, 20],
  [6, 21, 0, 40],
  [205, 220, 200, 240],
])('SET-05 requests rows for %d to %d in blocks, from %d to %d', (first, last, start, end) => {
  expect(activityRange(first, last)).toEqual({ start, end })
})

test('SET-05 a member who hides their activity asks for nobody’s, and sees no earlier answer', () => {
  const earlier = new Map([['other', '2026-01-01T00:00:00Z']])
  page.profile = { show_activity_status: false }
  const hidden = useActivityQuery(['other'])
  expect(hidden).toMatchObject({ queryKey: ['activity', ''], enabled: false })
  page.profile = { show_activity_status: true }
  const shown = useActivityQuery(['other'])
  expect(shown).toMatchObject({ queryKey: ['activity', 'other'], enabled: true })
  expect([hidden, shown].map((query) => placeholder(query, earlier))).toEqual([undefined, earlier])
})

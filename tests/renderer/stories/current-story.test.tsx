import { QueryClient } from '@tanstack/react-query'
import { act } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { useAvailability } from '#/renderer/features/stories/components/CurrentStory'
import { storyKeys } from '#/renderer/features/stories/keys'
import type { Story } from '#/renderer/features/stories/queries'
import { trackWindow } from '#/renderer/lib/browser/visibility'
import type { WindowState } from '#/shared/bridge'
import { pageText, settle, show } from '#tests/renderer/dom'

const server = vi.hoisted(() => ({
  rows: [] as object[],
  /** The ids of the requested stories. */
  requested: [] as string[],
}))

vi.mock('#/renderer/features/auth', () => ({ useMe: () => ({ id: 'me' }) }))
vi.mock('#/renderer/lib/server/supabase', () => ({
  unwrap: (request: Promise<unknown>) => request,
  supabase: () => ({
    from: () => ({
      select: () => ({
        eq: () => ({
          eq: async (_column: string, id: string) => {
            server.requested.push(id)
            return server.rows
          },
        }),
      }),
    }),
  }),
}))

const ROW = {
  media_type: 'image',
  expires_at: new Date(Date.now() + 3_600_000).toISOString(),
  my_view: [],
}

function Viewer({ story }: { story: Story }) {
  return useAvailability(story).isUnavailable ? 'unavailable' : 'shown'
}

/** Shows a story of this author in a focused window. */
function watch(id: string, author: string) {
  const story = { ...ROW, id, user_id: author, kind: 'image', isSeen: false } as unknown as Story
  const client = new QueryClient()
  client.setQueryData(storyKeys.story(story.id), story)
  let change = (_state: WindowState): void => undefined
  trackWindow({
    state: async () => ({ isVisible: true, isFocused: true }),
    onChange: (listener) => {
      change = listener
      return () => undefined
    },
  })
  show(<Viewer story={story} />, { client })
  expect(pageText()).toBe('shown')
  return { change: (state: WindowState) => act(() => change(state)) }
}

beforeEach(() => {
  server.rows = [ROW]
  server.requested = []
})

test.each([
  ['in the tray', { isVisible: false, isFocused: false }],
  ['behind another window', { isVisible: true, isFocused: false }],
])(
  'STORY-09 a story that was deleted while the window was %s is unavailable when the member returns',
  async (where, away) => {
    const { change } = watch(where, 'ada')
    change(away)
    server.rows = []
    expect(server.requested).not.toContain(where)
    change({ isVisible: true, isFocused: true })
    await vi.waitFor(() => expect(pageText()).toBe('unavailable'))
  },
)

test('a story that still exists stays on screen when the member returns', async () => {
  const { change } = watch('there', 'ada')
  change({ isVisible: true, isFocused: false })
  change({ isVisible: true, isFocused: true })
  await vi.waitFor(() => expect(server.requested).toContain('there'))
  expect(pageText()).toBe('shown')
})

test('the member’s own story is not refetched when they return', async () => {
  const { change } = watch('own', 'me')
  change({ isVisible: true, isFocused: false })
  change({ isVisible: true, isFocused: true })
  await settle()
  expect(server.requested).not.toContain('own')
})

import { screen } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { logFailure } from '#/renderer/lib/core/logger'
import { texts } from '#/renderer/lib/texts'
import { openApp } from '#tests/renderer/app/open-app'
import { type FakeServer, fakeServer, signIn } from '#tests/renderer/fake-server'

const ID = '00000000-0000-4000-8000-00000000000c'

/** The pauses before a failed read is repeated, which this file leaves out, in milliseconds. */
const RETRIES_MS = [1_000, 2_000]
const later = setTimeout

let server: FakeServer

beforeEach(() => {
  vi.stubGlobal('setTimeout', (work: () => void, ms = 0) => later(work, RETRIES_MS.includes(ms) ? 0 : ms))
  server = fakeServer()
  signIn()
})

/** Answers of other kinds than any read expects; null, also in a list, is right where there may be no row. */
const WRONG_ANSWERS = ['{"a":{}}', '[7]', '[{}]', '7']

const isShown = (shown: Element | null | undefined) => expect(shown).toBeInstanceOf(Element)
const tryAgain = () => isShown(screen.queryAllByRole('button', { name: texts.tryAgain })[0])

/** What each screen shows: lists of posts and conversations their empty state (FEED-10), a profile that it waits for the server. */
const SCREENS: readonly [string, () => void][] = [
  ['/', () => isShown(screen.queryByRole('heading', { name: texts.feed.emptyTitle }))],
  ['/?explore', tryAgain],
  ['/profile/ben', () => isShown(screen.queryByRole('status', { name: texts.loading }))],
  ['/messages', () => isShown(screen.queryByText(texts.messages.noConversations))],
  [`/messages?c=${ID}`, tryAgain],
  [`/?post=${ID}`, tryAgain],
]

test.each(SCREENS)(
  'FEED-12 answers of another kind are failed reads of %s, and take no screen away',
  async (path, expectContent) => {
    for (const wrong of WRONG_ANSWERS) {
      vi.mocked(logFailure).mockClear()
      server.onOthers(() => new Response(wrong, { headers: { 'content-type': 'application/json' } }))
      openApp(path)
      await vi.waitFor(() => {
        expect(vi.mocked(logFailure).mock.calls, wrong).toContainEqual([
          expect.stringMatching(/^read /),
          expect.objectContaining({ code: 'server', detail: expect.stringMatching(/^a wrong form of/) }),
        ])
        expectContent()
      })
      expect(screen.queryByText(texts.somethingBroke.title)).toBeNull()
    }
  },
)

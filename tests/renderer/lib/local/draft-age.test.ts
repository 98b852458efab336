import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { stubLocalStorage } from '#tests/renderer/local-storage'

const START = Date.parse('2026-03-01T12:00:00Z')
const DAY = 24 * 3_600_000
const WORDS = 'vignette.words.embedded.ana.comment.post'
const MESSAGE = 'vignette.draft.embedded.ana.conversation'

let disk: Map<string, string>

beforeEach(() => {
  disk = stubLocalStorage().disk
  // Only the computer's clock: the page measures elapsed time by another one.
  vi.useFakeTimers({ toFake: ['Date'], now: START })
})

afterEach(() => {
  vi.useRealTimers()
})

/** A start of the app on a day after the first one; `server` is the day by the server, null if it does not answer. */
async function start({ server, computer = server ?? 0 }: { server: number | null; computer?: number }) {
  vi.resetModules()
  vi.setSystemTime(START + computer * DAY)
  const { useServerInfo } = await import('#/renderer/lib/core/server-info')
  useServerInfo.setState({ storageKey: 'embedded' })
  const { recordServerTime } = await import('#/renderer/lib/core/clock-store')
  const { draftTimes } = await import('#/renderer/lib/local/draft-age')
  const words = await import('#/renderer/lib/local/draft-store')
  const messages = await import('#/renderer/features/messages/drafts-store')
  const date = server === null ? '' : new Date(START + server * DAY).toUTCString()
  recordServerTime({ headers: new Headers({ date }) })
  messages.openDrafts('ana')
  const comments = words.createDraftStore<{ text: string }>('comment', ({ text }) => ({ text: String(text) }))
  return {
    write: () => {
      comments.write('ana', 'post', { text: 'What a morning' })
      messages.setDraft('conversation', 'Where is this?')
    },
    /** As the app does at its start, once the server has answered. */
    clean: () => {
      const times = draftTimes()
      if (times === null) return
      words.removeOldDrafts(times)
      messages.removeOldDrafts(times)
    },
    texts: () => [comments.read('ana', 'post')?.text ?? '', messages.getDraftText('conversation')],
  }
}

const KEPT = ['What a morning', 'Where is this?']
const GONE = ['', '']

/** Starts the app on these days, and returns the texts of the last start. */
async function textsAfter(...days: Parameters<typeof start>[0][]) {
  let texts: string[] = []
  for (const day of days) {
    const page = await start(day)
    page.clean()
    texts = page.texts()
  }
  return texts
}

async function writeFirst(day: Parameters<typeof start>[0] = { server: 0 }) {
  const page = await start(day)
  page.clean()
  page.write()
}

describe('MSG-12 FEED-07 STORY-05 drafts that nobody edits', () => {
  test('stay for 30 days, and are removed from storage after that, also those of other members', async () => {
    await writeFirst()
    disk.set('vignette.draft.other-server.ben.c', JSON.stringify({ text: 'Hi', editedAt: START }))
    expect(await textsAfter({ server: 15 }, { server: 29.9 })).toEqual(KEPT)
    expect(await textsAfter({ server: 31 }, { server: 32.1 })).toEqual(GONE)
    expect([...disk.keys()]).toEqual(['vignette.draft-times'])
  })

  test('stay for 30 days after the last edit', async () => {
    await writeFirst()
    const page = await start({ server: 20 })
    page.write()
    expect(await textsAfter({ server: 40 }, { server: 45 })).toEqual(KEPT)
  })

  test.each([
    ['is a year fast', 365],
    ['is a year slow', -365],
  ])('are not removed by a computer’s clock that %s', async (_, computer) => {
    await writeFirst()
    expect(await textsAfter({ server: 1, computer }, { server: 3, computer })).toEqual(KEPT)
  })

  test('are not removed while the server’s time is not known', async () => {
    await writeFirst()
    expect(await textsAfter({ server: null, computer: 90 }, { server: null, computer: 92 })).toEqual(KEPT)
  })

  test('are not removed by the clock of an embedded server that is wrong on one day', async () => {
    await writeFirst()
    expect(await textsAfter({ server: 365 }, { server: 365.01 }, { server: 2 }, { server: 3 })).toEqual(KEPT)
  })

  test('are not removed by a server whose clock is ahead of this computer’s, to delete the drafts of other servers', async () => {
    await writeFirst()
    expect(await textsAfter({ server: 60, computer: 0.1 }, { server: 62, computer: 0.2 })).toEqual(KEPT)
    expect(await textsAfter({ server: 90, computer: 2 }, { server: 92, computer: 4 })).toEqual(KEPT)
    expect(await textsAfter({ server: 31 }, { server: 32.1 })).toEqual(GONE)
  })

  test('written while that clock was in the past count from the next right time', async () => {
    await writeFirst({ server: 0 })
    const page = await start({ server: -5_000 })
    page.clean()
    page.write()
    expect(await textsAfter({ server: 1 }, { server: 2.1 }, { server: 29 })).toEqual(KEPT)
    expect(await textsAfter({ server: 32 }, { server: 33.1 })).toEqual(GONE)
  })

  test('of an earlier version of the app count from the first start of this one', async () => {
    disk.set(WORDS, JSON.stringify({ text: 'What a morning', keptAt: START - 400 * DAY }))
    disk.set(MESSAGE, JSON.stringify({ text: 'Where is this?' }))
    expect(await textsAfter({ server: 0 }, { server: 29 })).toEqual(KEPT)
    expect(await textsAfter({ server: 31 }, { server: 32.1 })).toEqual(GONE)
  })

  test('go although the server’s clock was ahead for a while', async () => {
    await writeFirst({ server: 4_000 })
    expect(await textsAfter({ server: 0 }, { server: 1.1 }, { server: 3 })).toEqual(KEPT)
    expect(await textsAfter({ server: 34 }, { server: 35.1 })).toEqual(GONE)
  })

  test('are not removed by a server that says for days that it is another year, nor restamped', async () => {
    await writeFirst()
    disk.set('vignette.draft.other-server.ben.c', JSON.stringify({ text: 'Hi', editedAt: START }))
    const written = disk.get('vignette.draft.other-server.ben.c')
    const slow = [-365, -363, -362.9].map((server, at) => ({ server, computer: at / 100 }))
    expect(await textsAfter(...slow)).toEqual(KEPT)
    expect(disk.get('vignette.draft.other-server.ben.c')).toBe(written)
    expect(await textsAfter({ server: 1.2 }, { server: 2.4 }, { server: 29 })).toEqual(KEPT)
    expect(await textsAfter({ server: 31 }, { server: 32.1 })).toEqual(GONE)
  })

  test.each([-2_000, -20, -3])(
    'are not removed after the clock of an embedded server was %i days off for some days',
    async (off) => {
      await writeFirst()
      const page = await start({ server: off })
      page.clean()
      for (const day of [off + 1.1, off + 1.2]) await textsAfter({ server: day })
      expect(await textsAfter({ server: 3 }, { server: 4.2 }, { server: 15 }, { server: 31 })).toEqual(KEPT)
      expect(await textsAfter({ server: 45 }, { server: 46.1 })).toEqual(GONE)
    },
  )

  test('written while that clock was years behind stay once it is right', async () => {
    await writeFirst({ server: -2_000 })
    expect(await textsAfter({ server: 0 }, { server: 1.2 }, { server: 2.4 }, { server: 29 })).toEqual(KEPT)
    expect(await textsAfter({ server: 32 }, { server: 33.1 })).toEqual(GONE)
  })
})

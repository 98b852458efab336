import { act, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { useSessionStore } from '#/renderer/features/auth/session-store'
import { MESSAGE_COLUMNS } from '#/renderer/features/messages/message'
import { sendMessage } from '#/renderer/features/messages/mutations/send'
import { connection } from '#/renderer/lib/live'
import { pendingRows } from '#/renderer/lib/outbox/pending'
import { askVersions } from '#/renderer/lib/server/supabase'
import { texts } from '#/renderer/lib/texts'
import { NEEDED_VERSION, SCHEMA_VERSION } from '#/shared/schema-version'
import { gate } from '#tests/gate'
import { app, openApp } from '#tests/renderer/app/open-app'
import { pageText, press } from '#tests/renderer/dom'
import {
  type FakeServer,
  fakeServer,
  ME,
  PROFILE,
  postBy,
  refusal,
  signIn,
} from '#tests/renderer/fake-server'

/** The socket: here it opens at once. */
const socket = vi.hoisted(() => ({ isOpen: false }))

vi.mock('#/renderer/lib/live/live', async (load) => {
  const { connection } = await import('#/renderer/lib/live/connection')
  return {
    ...(await load<typeof import('#/renderer/lib/live/live')>()),
    startLive: () => {
      socket.isOpen = true
      connection.setState({ state: 'online', retryAt: null })
      return () => {
        socket.isOpen = false
        connection.setState({ state: 'connecting', retryAt: null })
      }
    },
  }
})

const FITS = { version: SCHEMA_VERSION, serves: SCHEMA_VERSION }
const NEWER = { version: '20991231000000', serves: '20991231000000' }
const OLDER = { version: String(Number(NEEDED_VERSION) - 1), serves: FITS.serves }

/** Pauses that this file leaves out: before the banner, and between the retries of a read. In milliseconds. */
const PAUSES_MS = [1_000, 2_000]
const later = setTimeout

let server: FakeServer
/** Time that has passed, in milliseconds. */
let passed = 0
const now = Date.now

/** The server's row of a message that it has just stored. */
const storedRow = (sent: unknown) =>
  Object.fromEntries(
    MESSAGE_COLUMNS.split(',').map((column) => {
      if (column === 'created_at') return [column, '2026-12-01T12:00:00Z']
      if (['read', 'forwarded', 'answers_story'].includes(column)) return [column, false]
      return [column, (sent as Record<string, unknown>)[column] ?? null]
    }),
  )

/** The server as it should be: one post, and messages that it stores. */
function serve(status: unknown): void {
  server.on('GET setup_status', () => status)
  server.on('GET posts', () => [postBy('ben', 'p1')])
  server.on('GET profiles', () => PROFILE)
  server.on('POST messages', ({ body }) => storedRow(body))
  server.onOthers(() => [])
}

/** The server after a change that the app does not know. */
function change(status: unknown): void {
  server.on('GET setup_status', () => status)
  for (const name of ['GET posts', 'GET profiles', 'POST messages'])
    server.on(name, () => refusal(400, '42703', 'column does not exist'))
  server.onOthers(() => refusal(404, 'PGRST202', 'function not found'))
  passed += 60_000
}

const isPostShown = () => expect(document.querySelector('article[data-post="p1"]')).not.toBeNull()
const write = (content: string) => sendMessage({ conversation_id: 'c', content })
const sentTexts = () =>
  server.sent('POST messages').map((body) => (body as { content: string } | undefined)?.content)

beforeEach(() => {
  vi.stubGlobal('setTimeout', (work: () => void, ms = 0) => later(work, PAUSES_MS.includes(ms) ? 0 : ms))
  vi.spyOn(Date, 'now').mockImplementation(() => now() + passed)
  server = fakeServer('chosen')
  signIn()
})

afterEach(async () => {
  serve(FITS)
  await act(askVersions)
  vi.restoreAllMocks()
})

test('MSG-09 a running app whose server changes says that it needs a newer one, keeps its lists, and sends once when they fit again', async () => {
  serve(FITS)
  await askVersions()
  openApp('/')
  await vi.waitFor(() => {
    isPostShown()
    expect(connection.getState().state).toBe('online')
  })
  change(NEWER)
  await act(async () => app.go('/messages'))
  await screen.findByText('This server needs a newer Vignette.')
  expect(pageText()).toContain(
    'You can read what is on this device and write; it is sent once this is solved.',
  )
  expect(pageText()).not.toContain(texts.connection.lost)
  await act(async () => app.go('/'))
  await vi.waitFor(isPostShown)

  expect(socket.isOpen).toBe(false)
  const before = server.calls.length
  expect(await Promise.all(['First', 'Second'].map(write))).toEqual(['waiting', 'waiting'])
  await act(async () => app.go('/messages'))
  expect(server.calls.slice(before)).toEqual([])
  await press('Try now')
  expect(server.calls.slice(before).map(({ name }) => name)).toEqual(['GET setup_status'])
  expect(screen.queryByText('This server needs a newer Vignette.')).not.toBeNull()

  serve(FITS)
  await press('Try now')
  await screen.findByText(texts.connection.back)
  expect(socket.isOpen).toBe(true)
  expect(screen.queryByText('This server needs a newer Vignette.')).toBeNull()
  await vi.waitFor(() => expect(pendingRows.getState()).toEqual([]))
  expect(sentTexts()).toEqual(['First', 'Second'])
})

test('MSG-09 a server that is older than the app says so, without lists when nothing is on this device', async () => {
  serve(OLDER)
  await askVersions()
  openApp('/')
  await screen.findByText('This server is older: ask its operator.')
  expect(pageText()).toContain('You can write; it is sent once this is solved.')
  expect(pageText()).not.toContain('You can read')
})

test('MSG-09 a message that a changed server refuses waits for the answer to the question, and is sent once', async () => {
  serve(FITS)
  await askVersions()
  openApp('/')
  await vi.waitFor(() => expect(connection.getState().state).toBe('online'))
  change(NEWER)
  const { opened, open } = gate()
  server.on('GET setup_status', async () => {
    await opened
    return NEWER
  })
  const written = write('Third')
  await vi.waitFor(() => expect(sentTexts()).toEqual(['Third']))
  expect(pendingRows.getState()).toMatchObject([{ state: 'sending' }])
  open()
  expect(await written).toBe('waiting')
  serve(FITS)
  await act(askVersions)
  await vi.waitFor(() => expect(pendingRows.getState()).toEqual([]))
  expect(sentTexts()).toEqual(['Third', 'Third'])
})

test('MSG-09 a member whose session cannot be opened reads why, and the session is opened once they fit', async () => {
  serve(NEWER)
  await askVersions()
  const user = { id: ME, email: 'mara@example.com', user_metadata: {} } as never
  useSessionStore.setState({ session: { status: 'unreachable', user }, hold: null })
  openApp('/')
  expect(screen.getByRole('alert').textContent).toBe('This server needs a newer Vignette.')
  serve(FITS)
  await press(texts.tryAgain)
  await vi.waitFor(() => expect(screen.getByRole('alert').textContent).toBe(texts.access.offline))
  expect(useSessionStore.getState().opening).toMatchObject({ user })
})

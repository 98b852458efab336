import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { AppError } from '#/renderer/lib/core/errors'
import { connection } from '#/renderer/lib/live'
import { submit } from '#/renderer/lib/outbox/active'
import { pendingRows, type Upload, uploads } from '#/renderer/lib/outbox/pending'
import type { OutboxKind, OutboxRow, SendTools } from '#/renderer/lib/outbox/row'
import { followUploads, uploadTotal } from '#/renderer/lib/outbox/upload-total'
import { createQueryClient } from '#/renderer/lib/queries/query-client'
import type { UploadTotal } from '#/shared/bridge'
import { runOutbox } from './running-outbox'

vi.mock('#/renderer/lib/outbox/store', async () => (await import('./memory-store')).storeModule)
vi.mock('#/renderer/lib/server/supabase', () => ({}))

afterEach(() => {
  uploads.setState({}, true)
  pendingRows.setState([], true)
  connection.setState({ state: 'online' })
})

const upload = (sent: number, total: number, state: Upload['state'] = 'running') => ({ sent, total, state })
const row = (id: string, state: OutboxRow['state']) => ({ id, state })

test('DESK-19 uploads are summed by their bytes, and one that is done counts until the last is', () => {
  expect(uploadTotal({}, [])).toBeNull()
  expect(uploadTotal({ a: upload(0, 10) }, [])).toEqual({ fraction: 0, isWaiting: false })
  expect(uploadTotal({ a: upload(5, 10), b: upload(10, 90) }, [])).toEqual({
    fraction: 0.15,
    isWaiting: false,
  })
  const done = upload(10, 10, 'done')
  expect(uploadTotal({ a: done, b: upload(10, 30) }, [])).toEqual({ fraction: 0.5, isWaiting: false })
  expect(uploadTotal({ a: done, b: done }, [])).toBeNull()
})

test('DESK-19 an upload that was cut off waits with its row, goes on with it, and counts no more once it is refused', () => {
  const cut = { a: upload(6, 10, 'stopped') }
  expect(uploadTotal(cut, [row('a', 'waiting')])).toEqual({ fraction: 0.6, isWaiting: true })
  expect(uploadTotal(cut, [row('a', 'sending')])).toEqual({ fraction: 0.6, isWaiting: false })
  expect(uploadTotal(cut, [row('a', 'refused')])).toBeNull()
  expect(uploadTotal(cut, [])).toBeNull()
  const both = { ...cut, b: upload(0, 20) }
  expect(uploadTotal(both, [row('a', 'waiting')])).toEqual({ fraction: 0.2, isWaiting: false })
  expect(uploadTotal(both, [])).toEqual({ fraction: 0, isWaiting: false })
})

function follow() {
  const reported: (UploadTotal | null)[] = []
  const stop = followUploads((total) => reported.push(total))
  onTestFinished(stop)
  return { reported, stop }
}

test('a change of less than a percent is not reported, and a new upload starts from nothing', () => {
  const { reported } = follow()
  uploads.setState({ a: upload(100, 1000) })
  uploads.setState({ a: upload(109, 1000) })
  uploads.setState({ a: upload(110, 1000) })
  uploads.setState({ a: upload(1000, 1000, 'done') })
  expect(reported).toEqual([{ fraction: 0.1, isWaiting: false }, { fraction: 0.11, isWaiting: false }, null])
  uploads.setState({ b: upload(0, 1000) })
  expect(reported.at(-1)).toEqual({ fraction: 0, isWaiting: false })
})

/** An outbox with a kind whose sending the test answers. */
function openOutbox() {
  const attempts: { tools: SendTools; end: (cause?: unknown) => void }[] = []
  const kind: OutboxKind<string> = {
    name: 'note',
    action: 'send note',
    send: (_row, _me, _client, tools) =>
      new Promise((resolve, reject) => {
        attempts.push({ tools, end: (cause) => (cause === undefined ? resolve() : reject(cause)) })
      }),
    onRefused: () => undefined,
  }
  const close = runOutbox(createQueryClient(), [kind as OutboxKind])
  const attempt = async (number: number) => {
    await vi.waitFor(() => expect(attempts.length).toBeGreaterThan(number))
    const made = attempts[number]
    if (made === undefined) throw new Error('not sent')
    return made
  }
  return { submit: () => submit(kind, { scope: 'notes', payload: 'Fog' }), attempt, close }
}

test('DESK-19 the upload of a row is followed from its first byte over a lost connection to its end', async () => {
  const { reported } = follow()
  const outbox = openOutbox()
  const submitted = outbox.submit()
  const first = await outbox.attempt(0)
  first.tools.onProgress(40, 100)
  connection.setState({ state: 'lost' })
  first.end(new AppError('offline', '', ''))
  expect(await submitted).toBe('waiting')
  await vi.waitFor(() => expect(reported.at(-1)).toEqual({ fraction: 0.4, isWaiting: true }))
  connection.setState({ state: 'online' })
  const second = await outbox.attempt(1)
  await vi.waitFor(() => expect(reported.at(-1)).toEqual({ fraction: 0.4, isWaiting: false }))
  second.tools.onProgress(100, 100)
  second.end()
  await vi.waitFor(() => expect(reported.at(-1)).toBeNull())
  expect(uploads.getState()).toEqual({})
})

test('DESK-19 signing out ends the progress, and an upload that outlives it shows none', async () => {
  const { reported, stop } = follow()
  const outbox = openOutbox()
  void outbox.submit()
  const { tools, end } = await outbox.attempt(0)
  tools.onProgress(40, 100)
  expect(reported).toEqual([{ fraction: 0.4, isWaiting: false }])
  stop()
  outbox.close()
  expect(reported.at(-1)).toBeNull()
  tools.onProgress(80, 100)
  end()
  expect(uploads.getState()).toEqual({})
})

import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createStore } from 'zustand/vanilla'
import { AppError, type ErrorCode, toAppError } from '#/renderer/lib/core/errors'
import { logFailure } from '#/renderer/lib/core/logger'
import { createOutbox, type OutboxParts, type Settled } from '#/renderer/lib/outbox/outbox'
import { inOrder, type OutboxRow } from '#/renderer/lib/outbox/row'
import type { OutboxStore } from '#/renderer/lib/outbox/store'
import { gate } from '#tests/gate'

/** A store that windows share, and that stays when they end. */
function createDisk() {
  const kept = new Map<string, OutboxRow>()
  const store: OutboxStore = {
    load: async () => inOrder([...kept.values()]),
    save: async (row) => {
      kept.set(row.id, structuredClone(row))
    },
    remove: async (id) => {
      kept.delete(id)
    },
    clear: async () => kept.clear(),
  }
  return { store, texts: () => inOrder([...kept.values()]).map(({ payload }) => String(payload)) }
}

type Tools = Parameters<OutboxParts['send']>[1]

/** A server that stores each id once, and fails on demand. */
function createServer() {
  const server = {
    /** Files that were removed. */
    dropped: [] as string[],
    taken: new Map<string, string>(),
    asked: 0,
    fails: null as ErrorCode | null,
    refuses: new Set<string>(),
    /** Runs during a request. */
    during: async (): Promise<void> => undefined,
    /** Uploads the files of a row. */
    upload: async (_row: OutboxRow, _tools: Tools): Promise<void> => undefined,
    send: async (row: OutboxRow, tools: Tools): Promise<void> => {
      const { id, payload } = row
      const content = String(payload)
      await server.upload(row, tools)
      server.asked += 1
      await server.during()
      if (server.fails !== null) throw new AppError(server.fails, '', 'test')
      if (server.refuses.has(content)) throw new AppError('forbidden', 'This member is gone.', 'test')
      if (!server.taken.has(id)) server.taken.set(id, content)
    },
    texts: () => [...server.taken.values()],
  }
  return server
}

/** One holder per scope over all windows, as with Web Locks. The locks of a window that ends are released. */
function createLocks() {
  const last = new Map<string, Promise<void>>()
  return (ended: Promise<void>): OutboxParts['withLock'] =>
    (scope, work) => {
      const before = last.get(scope) ?? Promise.resolve()
      const mine = before.then(work, work)
      last.set(
        scope,
        Promise.race([mine, ended]).catch(() => undefined),
      )
      return mine
    }
}

let disk: ReturnType<typeof createDisk>
let server: ReturnType<typeof createServer>
let locks: ReturnType<typeof createLocks>
let isLost: boolean
let hasNoNetwork: boolean
const broadcast = vi.fn()

type Heard = (settled?: Settled) => Promise<void>

/** Receivers of broadcasts. */
let listeners: Heard[] = []

function openWindow() {
  const { opened: ended, open: end } = gate()
  const shown = createStore<readonly OutboxRow[]>(() => [])
  const returned: unknown[] = []
  const outbox = createOutbox({
    store: disk.store,
    shown,
    send: server.send,
    dropUploads: ({ uploads = {}, started = {} }) => {
      server.dropped.push(
        ...Object.values(uploads),
        ...Object.values(started).map(({ id }) => `unfinished ${id}`),
      )
    },
    staysInForm: (kind) => kind === 'comment',
    onRefused: (rows) => returned.push(...rows.map(({ payload }) => payload)),
    actionOf: () => 'send message',
    isLost: () => isLost,
    hasNoNetwork: () => hasNoNetwork,
    withLock: locks(ended),
    broadcast: (settled) => {
      broadcast(settled)
      for (const listener of listeners) if (listener !== outbox.handleBroadcast) void listener(settled)
    },
  })
  listeners.push(outbox.handleBroadcast)
  return {
    ...outbox,
    /** Rows that returned to their field, in order. */
    returned,
    /** Ends the window without a cleanup. */
    kill: () => {
      listeners = listeners.filter((listener) => listener !== outbox.handleBroadcast)
      outbox.close()
      end()
    },
    shown: () => shown.getState().map(({ payload, state }) => `${payload} ${state}`),
    idOf: (text: string) => shown.getState().find(({ payload }) => payload === text)?.id ?? '',
    say: (payload: string, scope = 'c1') => outbox.submit('message', { scope, payload }),
    /** Sends a row that stays in its form until the server answers. */
    comment: (payload: string, scope = 'p1') => outbox.submit('comment', { id: payload, scope, payload }),
  }
}

beforeEach(() => {
  disk = createDisk()
  server = createServer()
  locks = createLocks()
  isLost = false
  hasNoNetwork = false
  broadcast.mockReset()
  listeners = []
  vi.mocked(logFailure).mockClear()
})

afterEach(() => {
  vi.useRealTimers()
})

/** Holds each send until it is released. */
function holdSends(): () => void {
  const { opened, open } = gate()
  server.during = () => opened
  return open
}

/** A window whose queue has these messages, from a time without a connection. */
async function openQueued(...texts: string[]) {
  const window = openWindow()
  isLost = true
  for (const text of texts) await window.say(text)
  isLost = false
  return window
}

/** The server stores what is sent, but its answers are lost. Returns a function that ends that. */
function loseAnswers(code: ErrorCode): () => void {
  const { send } = server
  server.send = async (row, tools) => {
    await send(row, tools)
    throw new AppError(code, '', 'test')
  }
  return () => {
    server.send = send
  }
}

/** Waits until all pending callbacks have run. */
const settle = () => new Promise((resolve) => setTimeout(resolve, 0))

describe('MSG-04 while the connection is there', () => {
  test('a message is sent at once, shown as being sent, and stored until the response', async () => {
    const window = openWindow()
    let meanwhile: string[] = []
    server.during = async () => {
      meanwhile = [...window.shown(), ...disk.texts()]
    }
    await expect(window.say('hello')).resolves.toBe('sent')
    expect(meanwhile).toEqual(['hello sending', 'hello'])
    expect(window.shown()).toEqual([])
    expect(server.texts()).toEqual(['hello'])
    expect(disk.texts()).toEqual([])
  })

  test.each<ErrorCode>(['forbidden', 'refused', 'rate-limited', 'session-expired'])(
    'a message that the server refuses (%s) is not queued',
    async (code) => {
      const window = openWindow()
      server.fails = code
      await expect(window.say('hello')).rejects.toMatchObject({ code })
      expect(window.shown()).toEqual([])
      expect(disk.texts()).toEqual([])
      server.fails = null
      await window.drain()
      expect(server.texts()).toEqual([])
    },
  )

  test.each<ErrorCode>(['offline', 'server'])(
    'a message without a response (%s) waits, and is stored once when it is sent again',
    async (code) => {
      const window = openWindow()
      const restore = loseAnswers(code)
      const opened = openWindow()
      await expect(opened.say('hello')).resolves.toBe('waiting')
      expect(opened.shown()).toEqual(['hello waiting'])
      restore()
      await window.drain()
      expect(server.asked).toBe(2)
      expect(server.texts()).toEqual(['hello'])
      expect(disk.texts()).toEqual([])
    },
  )

  test('MSG-04 a message is refused, not queued, after a 5xx of the server', async () => {
    const window = openWindow()
    server.send = async () => {
      throw new AppError('server', '', 'test', { serverStatus: 503 })
    }
    const opened = openWindow()
    await expect(opened.say('hello')).rejects.toMatchObject({ code: 'server' })
    expect(opened.shown()).toEqual([])
    expect(disk.texts()).toEqual([])
    await window.drain()
    expect(server.texts()).toEqual([])
  })

  test('a message whose window ends before the response is sent by the next window, not by one that is open meanwhile', async () => {
    const window = openWindow()
    const end = holdSends()
    const sending = window.say('hello')
    await settle()
    server.during = async () => undefined
    const other = openWindow()
    const drained = other.drain()
    await settle()
    expect(other.shown()).toEqual(['hello sending'])
    expect(server.asked).toBe(1)
    window.kill()
    await expect(sending).resolves.toBe('waiting')
    await drained
    server.fails = 'offline'
    end()
    await settle()
    expect(server.texts()).toEqual(['hello'])
    expect(other.shown()).toEqual([])
    expect(disk.texts()).toEqual([])
  })

  test('a refused message returns to its field, with all messages sent after it, in order', async () => {
    const window = openWindow()
    server.refuses.add('first')
    const all = ['first', 'second', 'third'].map((text) => window.say(text))
    const elsewhere = window.say('elsewhere', 'c2')
    const results = await Promise.allSettled(all)
    for (const result of results)
      expect(result).toMatchObject({ status: 'rejected', reason: { code: 'forbidden' } })
    expect(window.returned).toEqual(['first', 'second', 'third'])
    await expect(elsewhere).resolves.toBe('sent')
    expect(server.texts()).toEqual(['elsewhere'])
    expect(window.shown()).toEqual([])
    expect(disk.texts()).toEqual([])
  })

  test('messages behind one without a response wait with it, and never return to the field', async () => {
    const window = openWindow()
    server.during = async () => {
      server.fails = 'offline'
    }
    await expect(Promise.all([window.say('first'), window.say('second')])).resolves.toEqual([
      'waiting',
      'waiting',
    ])
    expect(window.returned).toEqual([])
    server.during = async () => undefined
    server.fails = null
    server.refuses.add('second')
    await window.drain()
    expect(server.texts()).toEqual(['first'])
    expect(window.shown()).toEqual(['second refused'])
  })

  test('a message that another window sends is settled in both', async () => {
    const [window, other] = [openWindow(), openWindow()]
    const release = holdSends()
    const first = other.say('of the other')
    await settle()
    const [sent, refused] = [window.say('mine'), window.say('rude')]
    await settle()
    server.refuses.add('rude')
    server.during = async () => undefined
    release()
    await expect(first).resolves.toBe('sent')
    await expect(sent).resolves.toBe('sent')
    await expect(refused).rejects.toMatchObject({ code: 'forbidden', message: 'This member is gone.' })
    expect(server.texts()).toEqual(['of the other', 'mine'])
    expect([...window.returned, ...other.returned]).toEqual(['rude'])
    await settle()
    expect([...window.shown(), ...other.shown(), ...disk.texts()]).toEqual([])
  })

  test('a request that hangs blocks only its own scope', async () => {
    const window = openWindow()
    const release = holdSends()
    const hanging = window.say('hanging', 'c1')
    await settle()
    server.during = async () => undefined
    await expect(window.say('elsewhere', 'c2')).resolves.toBe('sent')
    release()
    await expect(hanging).resolves.toBe('sent')
  })

  test('nothing stays stored of an account that is deleted during a request', async () => {
    const window = openWindow()
    server.during = async () => {
      window.close()
      await disk.store.clear()
      server.fails = 'session-expired'
    }
    await window.say('hello')
    expect(disk.texts()).toEqual([])
  })

  test('a message that cannot be stored is sent, and waits in memory when its response is lost', async () => {
    const window = openWindow()
    const cause = new Error('QuotaExceededError')
    vi.spyOn(disk.store, 'save').mockRejectedValue(cause)
    await expect(window.say('hello')).resolves.toBe('sent')
    expect(vi.mocked(logFailure).mock.calls).toEqual([['persist outbox row', cause]])
    server.fails = 'offline'
    await expect(window.say('again')).resolves.toBe('waiting')
    expect(window.shown()).toEqual(['again waiting'])
    server.fails = null
    await window.drain()
    expect(server.texts()).toEqual(['hello', 'again'])
    expect(window.shown()).toEqual([])
    expect(window.returned).toEqual([])
  })

  test('a sent message that cannot be deleted from the disk is not shown, and is sent again as the same message', async () => {
    const window = openWindow()
    const cause = new Error('disk')
    vi.spyOn(disk.store, 'remove').mockRejectedValueOnce(cause)
    await expect(window.say('hello')).resolves.toBe('sent')
    await settle()
    expect(vi.mocked(logFailure).mock.calls).toEqual([['outbox', cause]])
    expect(window.shown()).toEqual([])
    await window.drain()
    expect(server.texts()).toEqual(['hello'])
    expect(disk.texts()).toEqual([])
  })

  test('a message whose live event arrives has not failed, even without a response', async () => {
    const window = openWindow()
    server.during = async () => {
      await window.markDelivered(window.idOf('hello'))
      server.fails = 'offline'
    }
    await expect(window.say('hello')).resolves.toBe('sent')
    expect(window.shown()).toEqual([])
    await expect(window.say('again'), 'that goes for this one only').resolves.toBe('waiting')
  })

  test.each<[ErrorCode, boolean, string[]]>([
    ['offline', true, ['hello']],
    ['forbidden', true, []],
    ['forbidden', false, []],
    ['offline', false, ['hello']],
  ])(
    'a message that fails (%s) while the connection is lost (%s) waits as %j',
    async (code, isLostBy, kept) => {
      const window = openWindow()
      server.fails = code
      server.during = async () => {
        isLost = isLostBy
      }
      const sending = window.say('hello')
      if (kept.length > 0) await expect(sending).resolves.toBe('waiting')
      else await expect(sending).rejects.toMatchObject({ code })
      expect(disk.texts()).toEqual(kept)
      server.fails = null
      isLost = false
      server.during = async () => undefined
      await window.drain()
      expect(server.texts()).toEqual(kept)
      expect(window.shown()).toEqual([])
    },
  )

  test('nothing is sent for a member who has signed out', async () => {
    const window = openWindow()
    window.close()
    await expect(window.say('hello')).rejects.toMatchObject({ code: 'session-expired' })
    expect(server.asked).toBe(0)
  })
})

describe('MSG-09 while the connection is lost', () => {
  test('messages wait, and are sent once and in order when it returns', async () => {
    const window = openWindow()
    isLost = true
    await expect(window.say('one')).resolves.toBe('waiting')
    await expect(window.say('two')).resolves.toBe('waiting')
    expect(window.shown()).toEqual(['one waiting', 'two waiting'])
    expect(server.asked).toBe(0)

    isLost = false
    await Promise.all([window.drain(), window.drain()])
    expect(server.texts()).toEqual(['one', 'two'])
    expect(server.asked).toBe(2)
    expect(window.shown()).toEqual([])
    expect(disk.texts()).toEqual([])
  })

  test('two windows send each message once', async () => {
    const windows = [openWindow(), openWindow()]
    isLost = true
    for (const content of ['one', 'two', 'three']) await windows[0]?.say(content)
    isLost = false
    await Promise.all(windows.map((window) => window.drain()))
    expect(server.texts()).toEqual(['one', 'two', 'three'])
    expect(server.asked).toBe(3)
  })

  test('a new message goes behind waiting ones', async () => {
    const window = await openQueued('one')
    await expect(window.say('two')).resolves.toBe('waiting')
    await window.drain()
    expect(server.texts()).toEqual(['one', 'two'])
  })

  test('a message that cannot be sent yet keeps waiting, with all messages behind it', async () => {
    const window = await openQueued('one', 'two')
    server.fails = 'offline'
    await window.drain()
    expect(server.asked).toBe(1)
    expect(window.shown()).toEqual(['one waiting', 'two waiting'])
  })

  test.each<ErrorCode>(['server', 'rate-limited'])(
    'a message that the server cannot accept now (%s) blocks only its own conversation',
    async (code) => {
      const window = openWindow()
      isLost = true
      await window.say('bad', 'c1')
      await window.say('behind it', 'c1')
      await window.say('elsewhere', 'c2')
      const { send } = server
      server.send = async (row, tools) => {
        if (row.payload === 'bad') throw new AppError(code, '', 'test')
        await send(row, tools)
      }
      isLost = false
      const opened = openWindow()
      await opened.drain()
      expect(server.texts()).toEqual(['elsewhere'])
      expect(opened.shown()).toEqual(['bad waiting', 'behind it waiting'])

      await opened.discard(opened.idOf('bad'))
      await opened.drain()
      expect(server.texts()).toEqual(['elsewhere', 'behind it'])
    },
  )

  test('a message written right after a restart does not overtake stored ones', async () => {
    isLost = true
    await openWindow().say('kept')
    isLost = false
    const restarted = openWindow()
    await expect(restarted.say('new')).resolves.toBe('waiting')
    await restarted.drain()
    expect(server.texts()).toEqual(['kept', 'new'])
  })

  test('a message does not overtake stored ones when the clock was set back', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-21T12:00:00Z') })
    isLost = true
    await openWindow().say('kept')
    vi.setSystemTime(Date.parse('2026-11-20T12:00:00Z'))
    const restarted = openWindow()
    await restarted.say('new')
    isLost = false
    await restarted.drain()
    expect(server.texts()).toEqual(['kept', 'new'])
  })

  test('a stored message is not shown again when its live event arrives and its response is lost', async () => {
    const window = await openQueued('one')
    server.during = async () => {
      await window.markDelivered(window.idOf('one'))
      server.fails = 'server'
    }
    await window.drain()
    expect(server.asked).toBe(1)
    expect(window.shown()).toEqual([])
    expect(disk.texts()).toEqual([])
  })

  test('a message that is discarded in another window while it is refused does not return', async () => {
    const [window, other] = [openWindow(), openWindow()]
    isLost = true
    await window.say('rude')
    await other.handleBroadcast()
    isLost = false
    server.refuses.add('rude')
    server.during = async () => {
      await other.discard(other.idOf('rude'))
    }
    await window.drain()
    expect(window.shown()).toEqual([])
    expect(disk.texts()).toEqual([])
  })

  test('a reload does not show a message as waiting that is being sent', async () => {
    const window = await openQueued('one')
    let meanwhile: string[] = []
    server.during = async () => {
      await window.handleBroadcast()
      meanwhile = window.shown()
    }
    await window.drain()
    expect(meanwhile).toEqual(['one sending'])
  })

  test('a refused message keeps its text and the reason; the others are sent', async () => {
    const window = await openQueued('rude', 'kind')
    server.refuses.add('rude')
    await window.drain()
    expect(server.texts()).toEqual(['kind'])
    expect(window.shown()).toEqual(['rude refused'])
    expect(logFailure).toHaveBeenCalledExactlyOnceWith(
      'send message',
      expect.objectContaining({ code: 'forbidden' }),
    )
    const reloaded = openWindow()
    await reloaded.handleBroadcast()
    expect(reloaded.shown()).toEqual(['rude refused'])
    expect((await disk.store.load())[0]?.reason).toBe('This member is gone.')

    await reloaded.drain()
    expect(server.asked).toBe(2)

    server.refuses.clear()
    await reloaded.retry(reloaded.idOf('rude'))
    expect(server.texts()).toEqual(['kind', 'rude'])
    expect(disk.texts()).toEqual([])
  })

  test.each([
    [400, 'hello refused'],
    [408, 'hello waiting'],
    [425, 'hello waiting'],
    [429, 'hello waiting'],
    [500, 'hello waiting'],
    [502, 'hello waiting'],
    [503, 'hello waiting'],
  ])('a queued message that is answered with %d ten times is %s', async (status, shown) => {
    server.send = async () => {
      throw toAppError({ message: '', code: '' }, status)
    }
    const window = await openQueued('hello')
    for (let attempt = 0; attempt < 10; attempt += 1) await window.drain()
    expect(window.shown()).toEqual([shown])
  })

  test('MSG-09 FEED-19 an unknown failure is tried five times, also over restarts, then logged; the next message is sent', async () => {
    const cause = new DOMException('worker crashed', 'DataCloneError')
    const { send } = server
    let attempts = 0
    server.send = async (row, tools) => {
      if (row.payload !== 'broken') return send(row, tools)
      attempts += 1
      throw cause
    }
    const first = openWindow()
    isLost = true
    await first.say('broken')
    await first.say('behind it')
    isLost = false
    for (let drain = 0; drain < 4; drain += 1) await first.drain()
    expect([attempts, ...first.shown()]).toEqual([4, 'broken waiting', 'behind it waiting'])
    expect(logFailure).not.toHaveBeenCalled()
    first.kill()
    const restarted = openWindow()
    for (let drain = 0; drain < 4; drain += 1) await restarted.drain()
    expect([attempts, ...restarted.shown()]).toEqual([5, 'broken refused'])
    expect(server.texts()).toEqual(['behind it'])
    expect(vi.mocked(logFailure).mock.calls).toMatchObject([['send message', { cause }]])
    expect((await disk.store.load())[0]?.reason, 'the text is for developers').toBe('')

    // 'Try again' allows five more.
    await restarted.retry(restarted.idOf('broken'))
    expect(restarted.shown()).toEqual(['broken waiting'])
    server.send = send
    await openWindow().drain()
    expect(server.texts()).toEqual(['behind it', 'broken'])
  })

  test('MSG-04 a message whose first attempt fails for an unknown reason waits, and could not be sent after five', async () => {
    server.send = async () => {
      throw new TypeError('undefined is not a function')
    }
    const window = openWindow()
    await expect(window.say('hello')).resolves.toBe('waiting')
    for (let drain = 0; drain < 4; drain += 1) await window.drain()
    expect(window.shown()).toEqual(['hello refused'])
  })

  test('MSG-09 a message is sent once although the full disk takes no change of it', async () => {
    const window = await openQueued('hello')
    vi.spyOn(disk.store, 'save').mockRejectedValue(new DOMException('full', 'QuotaExceededError'))
    const { send } = server
    server.send = async (row, tools) => {
      await tools.keepUpload('full', 'me/full.webp')
      return send(row, tools)
    }
    server.fails = 'offline'
    await window.drain()
    expect(window.shown()).toEqual(['hello waiting'])
    server.fails = null
    server.during = async () => {
      expect((await disk.store.load()).map(({ id }) => id)).toEqual([window.idOf('hello')])
    }
    await window.drain()
    expect([server.texts(), disk.texts(), window.shown()]).toEqual([['hello'], [], []])
  })

  test('MSG-09 a refused row is returned when it is removed to be edited, once', async () => {
    const window = await openQueued('rude')
    const id = window.idOf('rude')
    server.refuses.add('rude')
    await window.drain()
    expect(await window.discard(id)).toMatchObject({ id, payload: 'rude' })
    expect(await window.discard(id)).toBe(null)
    expect(window.shown()).toEqual([])
    expect(disk.texts()).toEqual([])
  })

  test('a failure to read the disk is logged; waiting messages are sent once it can be read', async () => {
    const cause = new Error('disk')
    const load = vi.spyOn(disk.store, 'load').mockRejectedValueOnce(cause)
    const window = openWindow()
    await settle()
    expect(vi.mocked(logFailure).mock.calls).toEqual([['open outbox', cause]])
    isLost = true
    await window.say('one')
    isLost = false
    load.mockRejectedValueOnce(cause)
    await expect(window.say('two')).resolves.toBe('waiting')
    await settle()
    expect(logFailure).toHaveBeenLastCalledWith('outbox', cause)
    expect(window.shown()).toEqual(['one waiting', 'two waiting'])
    await window.drain()
    expect(server.texts()).toEqual(['one', 'two'])
    expect(window.shown()).toEqual([])
  })

  test('a delivered message that cannot be deleted from the disk is not shown as being sent, and not sent as another one', async () => {
    const window = await openQueued('one')
    vi.spyOn(disk.store, 'remove').mockRejectedValueOnce(new Error('disk'))
    await expect(window.drain()).rejects.toThrow('disk')
    expect(window.shown()).toEqual([])
    await window.drain()
    expect(server.texts()).toEqual(['one'])
    expect(disk.texts()).toEqual([])
  })

  test('a message that cannot be stored stays in the field: sending it fails', async () => {
    const window = openWindow()
    isLost = true
    vi.spyOn(disk.store, 'save').mockRejectedValueOnce(new Error('QuotaExceededError'))
    await expect(window.say('one')).rejects.toThrow('QuotaExceededError')
    expect(window.shown()).toEqual([])
    expect(window.returned).toEqual(['one'])
  })

  test('a message that is discarded while it is being stored is not kept', async () => {
    const window = openWindow()
    const { save } = disk.store
    const { opened: held, open: store } = gate()
    vi.spyOn(disk.store, 'save').mockImplementationOnce((row) => held.then(() => save(row)))
    isLost = true
    const waiting = window.say('better not')
    await settle()
    const id = window.idOf('better not')
    const discarded = window.discard(id)
    expect(await window.discard(id)).toBe(null)
    store()
    expect(await discarded).toMatchObject({ id, payload: 'better not' })
    await waiting
    expect([...window.shown(), ...disk.texts()]).toEqual([])
    isLost = false
    await window.drain()
    expect(server.asked).toBe(0)
  })

  test('a second window sends a message that the first window returned to its form', async () => {
    const [window, other] = [openWindow(), openWindow()]
    const again = { id: 'again', scope: 'c1', payload: 'hello' }
    server.refuses.add('hello')
    await expect(window.submit('message', again)).rejects.toMatchObject({ code: 'forbidden' })
    server.refuses.clear()
    isLost = true
    await expect(other.submit('message', again)).resolves.toBe('waiting')
    isLost = false
    await window.drain()
    expect(server.texts()).toEqual(['hello'])
    expect(disk.texts()).toEqual([])
  })

  test('a message is not sent while it is being discarded', async () => {
    const window = await openQueued('better not')
    const { remove } = disk.store
    const { opened: held, open: erase } = gate()
    vi.spyOn(disk.store, 'remove').mockImplementation((id) => held.then(() => remove(id)))
    const discarded = window.discard(window.idOf('better not'))
    const drained = window.drain()
    await settle()
    erase()
    await Promise.all([discarded, drained])
    expect(server.asked).toBe(0)
    expect([...window.shown(), ...disk.texts()]).toEqual([])
  })

  test('a message that the disk refuses to remove stays, and can be discarded later', async () => {
    const window = await openQueued('better not')
    const id = window.idOf('better not')
    vi.spyOn(disk.store, 'remove').mockRejectedValueOnce(new Error('disk'))
    await expect(window.discard(id)).rejects.toThrow('disk')
    expect(window.shown()).toEqual(['better not waiting'])
    await window.discard(id)
    expect([...window.shown(), ...disk.texts()]).toEqual([])
  })

  test('nothing is refused when the member signs out meanwhile', async () => {
    const window = await openQueued('one', 'two')
    server.during = async () => {
      window.close()
      server.fails = 'forbidden'
    }
    await window.drain()
    expect(server.asked).toBe(1)
    expect(disk.texts()).toEqual(['one', 'two'])
    expect((await disk.store.load()).every(({ state }) => state === 'waiting')).toBe(true)
  })

  test('a message that arrives after its window closed is removed without a broadcast', async () => {
    const window = await openQueued('one')
    broadcast.mockReset()
    server.during = async () => window.close()
    await window.drain()
    expect(server.texts()).toEqual(['one'])
    expect(disk.texts()).toEqual([])
    expect(broadcast).not.toHaveBeenCalled()
  })
})

describe('MEDIA-01 a server that has no Storage yet', () => {
  const NO_STORAGE = 'This server cannot store pictures yet.'
  let hasStorage: boolean
  beforeEach(() => {
    hasStorage = false
    server.upload = async ({ payload }) => {
      const hasFiles = String(payload).startsWith('photo')
      if (hasFiles && !hasStorage) throw new AppError('no-storage', NO_STORAGE, 'test')
    }
  })

  test('lets what has files wait with the reason, sends the texts, and gets the rest once it has Storage', async () => {
    const first = openWindow()
    expect(await first.say('photo 1')).toBe('waiting')
    expect(await first.say('photo 2')).toBe('waiting')
    await first.say('text')
    await first.drain()
    expect(server.texts()).toEqual(['text'])
    expect(first.returned).toEqual([])
    first.kill()
    const next = openWindow()
    await next.drain()
    expect(next.shown()).toEqual(['photo 1 waiting', 'photo 2 waiting'])
    expect((await disk.store.load()).map(({ reason }) => reason)).toEqual([NO_STORAGE, NO_STORAGE])
    hasStorage = true
    await next.drain()
    expect(server.texts()).toEqual(['text', 'photo 1', 'photo 2'])
    expect([next.shown(), disk.texts()]).toEqual([[], []])
  })

  test('leaves in its form what is sent from one', async () => {
    const window = openWindow()
    await expect(window.comment('photo')).rejects.toMatchObject({ code: 'no-storage', message: NO_STORAGE })
    expect([window.shown(), disk.texts()]).toEqual([[], []])
  })
})

describe('FEED-07 a row that stays in its form', () => {
  test('is neither stored nor shown while it is sent', async () => {
    const window = openWindow()
    let meanwhile: string[] = ['not sent']
    server.during = async () => {
      meanwhile = [...window.shown(), ...disk.texts()]
    }
    await expect(window.comment('hello')).resolves.toBe('sent')
    expect(meanwhile).toEqual([])
    expect(server.texts()).toEqual(['hello'])
  })

  test.each<ErrorCode>(['offline', 'server', 'forbidden', 'rate-limited', 'session-expired'])(
    'stays there when sending fails (%s) while the connection is there, and is stored once when it is sent again',
    async (code) => {
      const window = openWindow()
      const restore = loseAnswers(code)
      const other = openWindow()
      await expect(other.comment('hello')).rejects.toMatchObject({ code })
      expect([...other.shown(), ...disk.texts(), ...other.returned]).toEqual([])
      restore()
      await expect(window.comment('hello')).resolves.toBe('sent')
      expect(server.texts()).toEqual(['hello'])
      expect(logFailure).not.toHaveBeenCalled()
    },
  )

  test('waits while the connection is lost, in order, over a restart too, and is sent once', async () => {
    isLost = true
    const before = openWindow()
    await expect(before.comment('first')).resolves.toBe('waiting')
    await expect(before.comment('second')).resolves.toBe('waiting')
    expect(before.shown()).toEqual(['first waiting', 'second waiting'])
    expect(disk.texts()).toEqual(['first', 'second'])
    expect(server.asked).toBe(0)
    before.kill()
    isLost = false
    const [one, other] = [openWindow(), openWindow()]
    await Promise.all([one.drain(), other.drain()])
    expect(server.texts()).toEqual(['first', 'second'])
    expect(server.asked).toBe(2)
    expect([...one.shown(), ...other.shown(), ...disk.texts()]).toEqual([])
  })

  test.each<[string, () => void]>([
    ['the connection is lost', () => (isLost = true)],
    ['the system has no network', () => (hasNoNetwork = true)],
  ])('waits when sending it fails without an answer and %s', async (_what, lose) => {
    const window = openWindow()
    server.fails = 'offline'
    server.during = async () => lose()
    await expect(window.comment('hello')).resolves.toBe('waiting')
    expect(window.shown()).toEqual(['hello waiting'])
    expect(disk.texts()).toEqual(['hello'])
    expect(logFailure).toHaveBeenCalledExactlyOnceWith('send message', expect.anything())
    server.fails = null
    await window.drain()
    expect(server.texts()).toEqual(['hello'])
  })

  test('is sent although the system has no network: the server may be on this machine', async () => {
    hasNoNetwork = true
    await expect(openWindow().comment('hello')).resolves.toBe('sent')
  })

  test('leaves its form as soon as the connection is lost, and is not discarded while an attempt is running', async () => {
    const window = openWindow()
    const release = holdSends()
    const sent = window.comment('hello')
    await settle()
    isLost = true
    await window.handleLost()
    await expect(sent).resolves.toBe('waiting')
    expect(window.shown()).toEqual(['hello sending'])
    expect(disk.texts()).toEqual(['hello'])
    expect(await window.discard(window.idOf('hello'))).toBeNull()
    release()
    await settle()
    expect([...window.shown(), ...disk.texts()]).toEqual([])
    expect(server.texts()).toEqual(['hello'])
  })

  test.each<[ErrorCode, string]>([
    ['offline', 'hello waiting'],
    ['forbidden', 'hello refused'],
  ])('keeps its row when the attempt fails (%s) after it left its form', async (code, shown) => {
    const window = openWindow()
    const release = holdSends()
    server.fails = code
    const sent = window.comment('hello')
    await settle()
    isLost = true
    await window.handleLost()
    await expect(sent).resolves.toBe('waiting')
    release()
    await settle()
    expect(window.shown()).toEqual([shown])
    expect(disk.texts()).toEqual(['hello'])
    expect(window.returned).toEqual([])
  })

  test('goes behind rows that wait, and stays in its form when they fail while the connection is there', async () => {
    isLost = true
    const window = openWindow()
    await window.comment('first')
    isLost = false
    server.fails = 'server'
    await expect(window.comment('second')).rejects.toMatchObject({ code: 'server' })
    expect(window.shown()).toEqual(['first waiting'])
    server.fails = null
    await expect(window.comment('second')).resolves.toBe('sent')
    expect(server.texts()).toEqual(['first', 'second'])
  })

  test('stays there when it cannot be stored', async () => {
    isLost = true
    disk.store.save = () => Promise.reject(new Error('the disk is full'))
    const window = openWindow()
    await expect(window.comment('hello')).rejects.toMatchObject({ code: 'server' })
    expect(window.shown()).toEqual([])
    expect(logFailure).toHaveBeenCalledExactlyOnceWith('persist outbox row', expect.anything())
  })

  test('stays there when the connection is lost while it is sent and it cannot be stored', async () => {
    const window = openWindow()
    const release = holdSends()
    disk.store.save = () => Promise.reject(new Error('the disk is full'))
    const sent = window.comment('hello')
    await settle()
    isLost = true
    await Promise.all([expect(sent).rejects.toMatchObject({ code: 'server' }), window.handleLost()])
    expect(window.shown()).toEqual([])
    release()
    await settle()
    expect(server.texts()).toEqual(['hello'])
  })

  test('is settled by the answer when its member signs out while it is sent; the next one stays in its form', async () => {
    const window = openWindow()
    const release = holdSends()
    const [first, next] = [window.comment('first'), window.comment('next')]
    await settle()
    window.close()
    await expect(next).rejects.toMatchObject({ code: 'session-expired' })
    server.fails = 'session-expired'
    release()
    await expect(first).rejects.toMatchObject({ code: 'session-expired' })
    expect(disk.texts()).toEqual([])
    expect(server.asked).toBe(1)
  })
})

describe('MEDIA-05 the files of a row', () => {
  /** Uploads two files before the row is sent; `pause` runs after the first. */
  function uploading(pause: () => Promise<void>) {
    const uploaded: string[] = []
    server.upload = async (row, { keepUpload, signal }) => {
      for (const name of ['full', 'grid']) {
        if (row.uploads?.[name] === undefined) {
          signal.throwIfAborted()
          uploaded.push(name)
          await keepUpload(name, `me/${name}.webp`)
        }
        if (name === 'full') await pause()
      }
      signal.throwIfAborted()
    }
    return uploaded
  }

  test('are not uploaded again after the connection was lost, nor after a restart', async () => {
    let window = openWindow()
    const uploaded = uploading(async () => {
      throw new AppError('offline', '', 'test')
    })
    await expect(window.say('hello')).resolves.toBe('waiting')
    expect(uploaded).toEqual(['full'])
    window.kill()
    window = openWindow()
    const rest = uploading(async () => undefined)
    await window.drain()
    expect(rest).toEqual(['grid'])
    expect(server.texts()).toEqual(['hello'])
    expect(server.dropped).toEqual([])
  })

  test('are uploaded again, once, when the server has removed them meanwhile', async () => {
    let window = openWindow()
    uploading(async () => {
      throw new AppError('offline', '', 'test')
    })
    await expect(window.say('hello')).resolves.toBe('waiting')
    window.kill()
    window = openWindow()
    const uploaded = uploading(async () => undefined)
    const isThere = { value: false }
    server.during = async () => {
      if (!isThere.value) throw new AppError('not-found', 'This file has not been uploaded.', 'test')
    }
    await window.drain()
    expect(uploaded).toEqual(['grid', 'full', 'grid'])
    expect(server.dropped).toEqual(['me/full.webp'])
    expect(server.asked).toBe(2)
    expect(window.shown()).toEqual(['hello refused'])
    isThere.value = true
    await window.retry(window.idOf('hello'))
    expect(server.texts()).toEqual(['hello'])
  })

  test('that a form sends are kept when the connection is lost meanwhile', async () => {
    const window = openWindow()
    uploading(async () => {
      isLost = true
      await window.handleLost()
      throw new AppError('offline', '', 'test')
    })
    await expect(window.comment('hello')).resolves.toBe('waiting')
    expect((await disk.store.load()).map(({ uploads }) => uploads)).toEqual([{ full: 'me/full.webp' }])
  })

  /** Begins a resumable upload, unless an earlier attempt has; `pause` runs in its middle. */
  function uploadingVideo(pause: () => Promise<void>) {
    const started: unknown[] = []
    server.upload = async (row, { keepUpload, keepStarted, signal }) => {
      started.push(row.started?.video ?? null)
      if (row.started === undefined) await keepStarted('video', { path: 'me/video.mp4', id: 'u1' })
      await pause()
      signal.throwIfAborted()
      await keepUpload('video', 'me/video.mp4')
    }
    return started
  }

  test('that are sent in pieces go on after the connection was lost, and after a restart', async () => {
    let window = openWindow()
    uploadingVideo(async () => {
      isLost = true
      await window.handleLost()
      throw new AppError('offline', '', 'test')
    })
    await expect(window.comment('hello')).resolves.toBe('waiting')
    window.kill()
    isLost = false
    window = openWindow()
    const started = uploadingVideo(async () => undefined)
    server.during = async () => {
      expect(await disk.store.load()).toEqual([
        expect.objectContaining({ uploads: { video: 'me/video.mp4' } }),
      ])
      expect((await disk.store.load())[0]).not.toHaveProperty('started')
    }
    await window.drain()
    expect(started).toEqual([{ path: 'me/video.mp4', id: 'u1' }])
    expect([server.texts(), server.dropped]).toEqual([['hello'], []])
  })

  test('end when the member signs out, and go on at the next sign-in; those of a form are returned to it', async () => {
    let window = await openQueued('queued')
    uploadingVideo(async () => window.close())
    await window.drain()
    expect(await disk.store.load()).toMatchObject([
      { state: 'waiting', started: { video: { path: 'me/video.mp4', id: 'u1' } } },
    ])
    expect([server.texts(), server.dropped]).toEqual([[], []])

    window = openWindow()
    const started = uploadingVideo(async () => undefined)
    await window.drain()
    expect(started).toEqual([{ path: 'me/video.mp4', id: 'u1' }])
    expect(server.texts()).toEqual(['queued'])

    uploadingVideo(async () => window.close())
    await expect(window.comment('in its form')).rejects.toMatchObject({ code: 'session-expired' })
    expect([server.texts(), disk.texts(), server.dropped]).toEqual([['queued'], [], []])
  })

  test('that are sent in pieces end at the server when the member cancels or discards the row', async () => {
    const window = openWindow()
    uploadingVideo(async () => window.cancel('hello'))
    await expect(window.comment('hello')).rejects.toMatchObject({ code: 'refused', detail: 'cancelled' })
    await settle()
    expect(server.dropped).toEqual(['unfinished u1'])
    uploadingVideo(async () => {
      throw new AppError('offline', '', 'test')
    })
    await expect(window.say('later')).resolves.toBe('waiting')
    await window.discard(window.idOf('later'))
    expect(server.dropped).toEqual(['unfinished u1', 'unfinished u1'])
    expect(disk.texts()).toEqual([])
  })

  test('are removed when the server refuses the row', async () => {
    const window = openWindow()
    uploading(async () => undefined)
    server.refuses.add('hello')
    await expect(window.comment('hello')).rejects.toMatchObject({ code: 'forbidden' })
    await settle()
    expect(server.dropped).toEqual(['me/full.webp', 'me/grid.webp'])
  })

  test('are removed when the member cancels, and the row returns to its form', async () => {
    const window = openWindow()
    const uploaded = uploading(async () => window.cancel('hello'))
    await expect(window.comment('hello')).rejects.toMatchObject({ code: 'refused', detail: 'cancelled' })
    await settle()
    expect(uploaded).toEqual(['full'])
    expect(server.dropped).toEqual(['me/full.webp'])
    expect(server.texts()).toEqual([])
    expect(disk.texts()).toEqual([])
  })

  test('are removed with a queued row that the member cancels', async () => {
    isLost = true
    const window = openWindow()
    await window.comment('hello')
    isLost = false
    uploading(async () => window.cancel('hello'))
    await window.drain()
    expect(server.dropped).toEqual(['me/full.webp'])
    expect(window.shown()).toEqual([])
    expect(disk.texts()).toEqual([])
  })

  test('are removed with a refused row that is discarded', async () => {
    isLost = true
    const window = openWindow()
    await window.comment('hello')
    isLost = false
    uploading(async () => undefined)
    server.refuses.add('hello')
    await window.drain()
    expect(server.dropped).toEqual([])
    await window.discard('hello')
    expect(server.dropped).toEqual(['me/full.webp', 'me/grid.webp'])
  })
})

import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createStore } from 'zustand/vanilla'
import { createOutbox, type OutboxParts } from '#/renderer/features/messages/outbox/outbox'
import { inOrder, type OutboxStore } from '#/renderer/features/messages/outbox/store'
import type { OutgoingMessage } from '#/renderer/features/messages/outbox/types'
import { AppError, type ErrorCode } from '#/renderer/lib/errors'
import { logFailure } from '#/renderer/lib/logger'

vi.mock('#/renderer/lib/logger', () => ({ logFailure: vi.fn() }))

/** A disk that windows share, and that outlives them. */
function createDisk() {
  const kept = new Map<string, OutgoingMessage>()
  const store: OutboxStore = {
    load: async () => inOrder([...kept.values()]),
    save: async (message) => {
      kept.set(message.id, structuredClone(message))
    },
    remove: async (id) => {
      kept.delete(id)
    },
    clear: async () => kept.clear(),
  }
  return { store, texts: () => inOrder([...kept.values()]).map(({ content }) => content) }
}

/** A server that takes each id once, and fails as it is told to. */
function createServer() {
  const server = {
    taken: new Map<string, string>(),
    asked: 0,
    fails: null as ErrorCode | null,
    refuses: new Set<string>(),
    /** Called while a message is under way. */
    during: async (): Promise<void> => undefined,
    send: async ({ id, content }: OutgoingMessage): Promise<void> => {
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

/** One at a time, over all windows, as a Web Lock does. */
function createLock(): OutboxParts['alone'] {
  let last: Promise<void> = Promise.resolve()
  return (work) => {
    last = last.then(work, work)
    return last
  }
}

let disk: ReturnType<typeof createDisk>
let server: ReturnType<typeof createServer>
let lock: OutboxParts['alone']
let isLost: boolean
const tellOthers = vi.fn()

let windows = 0
const living = new Set<string>()

function openWindow() {
  windows += 1
  const windowId = `window ${windows}`
  living.add(windowId)
  const shown = createStore<readonly OutgoingMessage[]>(() => [])
  const outbox = createOutbox({
    store: disk.store,
    shown,
    send: server.send,
    isLost: () => isLost,
    alone: lock,
    tellOthers,
    windowId,
    livingWindows: async () => new Set(living),
  })
  return {
    ...outbox,
    /** The window ends without a chance to do anything. */
    kill: () => {
      living.delete(windowId)
      outbox.close()
    },
    shown: () => shown.getState().map(({ content, state }) => `${content} ${state}`),
    idOf: (content: string) => shown.getState().find((message) => message.content === content)?.id ?? '',
    say: (content: string, conversation_id = 'c1') => outbox.submit({ conversation_id, content }),
  }
}

beforeEach(() => {
  disk = createDisk()
  server = createServer()
  lock = createLock()
  isLost = false
  tellOthers.mockReset()
  vi.mocked(logFailure).mockClear()
})

afterEach(() => {
  vi.useRealTimers()
})

/** Lets everything run that waits for nothing but its turn. */
const settle = () => new Promise((resolve) => setTimeout(resolve, 0))

describe('MSG-04 while the connection is there', () => {
  test('a message is sent at once, shown as on its way, and kept until it is answered', async () => {
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
    'one that the server refuses (%s) is not queued',
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
    'one whose answer does not come (%s) waits, and is there once when it is sent again',
    async (code) => {
      const window = openWindow()
      const { send } = server
      server.send = async (message) => {
        await send(message)
        throw new AppError(code, '', 'test')
      }
      const opened = openWindow()
      await expect(opened.say('hello')).resolves.toBe('waiting')
      expect(opened.shown()).toEqual(['hello waiting'])
      server.send = send
      await window.drain()
      expect(server.asked).toBe(2)
      expect(server.texts()).toEqual(['hello'])
      expect(disk.texts()).toEqual([])
    },
  )

  test('MSG-04 one that the server answers with a 5xx is refused, not queued', async () => {
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

  test('one whose window ends before the answer is sent by the next window, not by one that is open meanwhile', async () => {
    const window = openWindow()
    let end = (): void => undefined
    server.during = () =>
      new Promise((resolve) => {
        end = resolve
      })
    const sending = window.say('hello')
    await settle()
    server.during = async () => undefined
    const other = openWindow()
    await other.drain()
    expect(other.shown()).toEqual(['hello sending'])
    expect(server.asked).toBe(1)
    window.kill()
    server.fails = 'offline'
    end()
    await sending
    server.fails = null
    const next = openWindow()
    await next.drain()
    expect(server.texts()).toEqual(['hello'])
    expect(disk.texts()).toEqual([])
  })

  test('of an account that is deleted while one is sent nothing is kept', async () => {
    const window = openWindow()
    server.during = async () => {
      window.close()
      await disk.store.clear()
      server.fails = 'session-expired'
    }
    await window.say('hello')
    expect(disk.texts()).toEqual([])
  })

  test('one that cannot be kept is sent all the same, and returns to the field when it fails', async () => {
    const window = openWindow()
    const cause = new Error('QuotaExceededError')
    vi.spyOn(disk.store, 'save').mockRejectedValue(cause)
    const onKept = vi.fn()
    const hello = { conversation_id: 'c1', content: 'hello' }
    await expect(window.submit(hello, onKept)).resolves.toBe('sent')
    expect(vi.mocked(logFailure).mock.calls).toEqual([['keep message', cause]])
    server.fails = 'offline'
    await expect(window.submit(hello, onKept)).rejects.toMatchObject({ code: 'offline' })
    expect(window.shown()).toEqual([])
    expect(onKept).not.toHaveBeenCalled()
  })

  test('one that was sent and cannot be taken off the disk is not shown, and is sent again as the same message', async () => {
    const window = openWindow()
    const cause = new Error('disk')
    vi.spyOn(disk.store, 'remove').mockRejectedValueOnce(cause)
    await expect(window.say('hello')).resolves.toBe('sent')
    expect(vi.mocked(logFailure).mock.calls).toEqual([['forget message', cause]])
    expect(window.shown()).toEqual([])
    await window.drain()
    expect(server.texts()).toEqual(['hello'])
    expect(disk.texts()).toEqual([])
  })

  test('what is sent fast arrives in its order', async () => {
    const window = openWindow()
    let answer = (): void => undefined
    server.during = () =>
      new Promise((resolve) => {
        answer = resolve
      })
    const both = Promise.all([window.say('first'), window.say('second')])
    await settle()
    expect(server.asked).toBe(1)
    server.during = async () => undefined
    answer()
    await both
    expect(server.texts()).toEqual(['first', 'second'])
  })

  test('one that is told live to be there has not failed, whatever became of the answer', async () => {
    const window = openWindow()
    server.during = async () => {
      await window.acknowledge(window.idOf('hello'))
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
  ])('one that fails (%s) while the connection is lost (%s) waits as %j', async (code, isLostBy, kept) => {
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
  })

  test('nothing is sent for a member who has signed out', async () => {
    const window = openWindow()
    window.close()
    await expect(window.say('hello')).rejects.toMatchObject({ code: 'session-expired' })
    expect(server.asked).toBe(0)
  })
})

describe('MSG-09 while the connection is lost', () => {
  test('messages wait, and go out once and in order when it is back', async () => {
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

  test('also after a restart', async () => {
    isLost = true
    await openWindow().say('one')
    const restarted = openWindow()
    await restarted.reload()
    expect(restarted.shown()).toEqual(['one waiting'])
    isLost = false
    await restarted.drain()
    expect(server.texts()).toEqual(['one'])
  })

  test('an answer that was lost on the way makes no second message', async () => {
    isLost = true
    await openWindow().say('one')
    const { send } = server
    server.send = async (message) => {
      await send(message)
      throw new AppError('offline', '', 'test')
    }
    await openWindow().drain()
    expect(disk.texts()).toEqual(['one'])
    server.send = send
    isLost = false
    await openWindow().drain()
    expect(server.texts()).toEqual(['one'])
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

  test('what is written while others still wait goes behind them', async () => {
    const window = openWindow()
    isLost = true
    await window.say('one')
    isLost = false
    await expect(window.say('two')).resolves.toBe('waiting')
    await window.drain()
    expect(server.texts()).toEqual(['one', 'two'])
  })

  test('what cannot be sent yet keeps waiting, and all behind it', async () => {
    const window = openWindow()
    isLost = true
    await window.say('one')
    await window.say('two')
    server.fails = 'offline'
    await window.drain()
    expect(server.asked).toBe(1)
    expect(window.shown()).toEqual(['one waiting', 'two waiting'])
  })

  test.each<ErrorCode>(['server', 'rate-limited'])(
    'one that cannot be taken (%s) holds up its own conversation, no other',
    async (code) => {
      const window = openWindow()
      isLost = true
      await window.say('bad', 'c1')
      await window.say('behind it', 'c1')
      await window.say('elsewhere', 'c2')
      const { send } = server
      server.send = async (message) => {
        if (message.content === 'bad') throw new AppError(code, '', 'test')
        await send(message)
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

  test('what is written right after a restart does not overtake what was kept', async () => {
    isLost = true
    await openWindow().say('kept')
    isLost = false
    const restarted = openWindow()
    await expect(restarted.say('new')).resolves.toBe('waiting')
    await restarted.drain()
    expect(server.texts()).toEqual(['kept', 'new'])
  })

  test('nor does it when the clock was set back meanwhile', async () => {
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

  test('a kept one that is told live to be there, and whose answer is then lost, is not shown again', async () => {
    const window = openWindow()
    isLost = true
    await window.say('one')
    isLost = false
    server.during = async () => {
      await window.acknowledge(window.idOf('one'))
      server.fails = 'server'
    }
    await window.drain()
    expect(server.asked).toBe(1)
    expect(window.shown()).toEqual([])
    expect(disk.texts()).toEqual([])
  })

  test('one that is thrown away in another window while it is refused does not come back', async () => {
    const [window, other] = [openWindow(), openWindow()]
    isLost = true
    await window.say('rude')
    await other.reload()
    isLost = false
    server.refuses.add('rude')
    server.during = () => other.discard(other.idOf('rude'))
    await window.drain()
    expect(window.shown()).toEqual([])
    expect(disk.texts()).toEqual([])
  })

  test('reading anew does not show as waiting what is being sent', async () => {
    const window = openWindow()
    isLost = true
    await window.say('one')
    isLost = false
    let meanwhile: string[] = []
    server.during = async () => {
      await window.reload()
      meanwhile = window.shown()
    }
    await window.drain()
    expect(meanwhile).toEqual(['one sending'])
  })

  test('one that is refused for a reason nobody here knows is not tried again by itself', async () => {
    const window = openWindow()
    isLost = true
    await window.say('odd')
    isLost = false
    server.fails = 'refused'
    await window.drain()
    await window.drain()
    expect(server.asked).toBe(1)
    expect(window.shown()).toEqual(['odd refused'])
  })

  test('one that is refused keeps its text and the reason; the others go on', async () => {
    const window = openWindow()
    isLost = true
    await window.say('rude')
    await window.say('kind')
    server.refuses.add('rude')
    await window.drain()
    expect(server.texts()).toEqual(['kind'])
    expect(window.shown()).toEqual(['rude refused'])
    expect(logFailure).toHaveBeenCalledExactlyOnceWith(
      'send kept message',
      expect.objectContaining({ code: 'forbidden' }),
    )
    const reloaded = openWindow()
    await reloaded.reload()
    expect(reloaded.shown()).toEqual(['rude refused'])
    expect((await disk.store.load())[0]?.reason).toBe('This member is gone.')

    await reloaded.drain()
    expect(server.asked).toBe(2)

    isLost = false
    server.refuses.clear()
    await reloaded.retry(reloaded.idOf('rude'))
    expect(server.texts()).toEqual(['kind', 'rude'])
    expect(disk.texts()).toEqual([])
  })

  test.each([
    [500, 'hello refused'],
    [503, 'hello waiting'],
  ])('a queued message that the server answers with %d is %s', async (serverStatus, shown) => {
    server.send = async () => {
      throw new AppError('server', '', 'test', { serverStatus })
    }
    const window = openWindow()
    isLost = true
    await window.say('hello')
    isLost = false
    await window.drain()
    expect(window.shown()).toEqual([shown])
  })

  test('MSG-09 a refused message is taken out to be edited, once', async () => {
    const window = openWindow()
    isLost = true
    await window.say('rude')
    const id = window.idOf('rude')
    expect(await window.takeRefused(id)).toBe(null)
    server.refuses.add('rude')
    await window.drain()
    expect(await window.takeRefused(id)).toMatchObject({ id, content: 'rude' })
    expect(await window.takeRefused(id)).toBe(null)
    expect(window.shown()).toEqual([])
    expect(disk.texts()).toEqual([])
  })

  test('a disk that cannot be read is logged; what waits is sent once it can', async () => {
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

  test('one that was sent and cannot be taken off the disk is not shown as on its way, nor sent as another', async () => {
    const window = openWindow()
    isLost = true
    await window.say('one')
    isLost = false
    vi.spyOn(disk.store, 'remove').mockRejectedValueOnce(new Error('disk'))
    await expect(window.drain()).rejects.toThrow('disk')
    expect(window.shown()).toEqual([])
    await window.drain()
    expect(server.texts()).toEqual(['one'])
    expect(disk.texts()).toEqual([])
  })

  test('one that cannot be kept is not lost from the field: sending it fails', async () => {
    const window = openWindow()
    isLost = true
    vi.spyOn(disk.store, 'save').mockRejectedValueOnce(new Error('QuotaExceededError'))
    await expect(window.say('one')).rejects.toThrow('QuotaExceededError')
    expect(window.shown()).toEqual([])
  })

  test('what waits can be thrown away', async () => {
    const window = openWindow()
    isLost = true
    await window.say('better not')
    await window.discard(window.idOf('better not'))
    isLost = false
    await window.drain()
    expect(server.asked).toBe(0)
  })

  test('what is told live to have arrived waits no longer', async () => {
    const window = openWindow()
    isLost = true
    await window.say('one')
    await window.acknowledge(window.idOf('one'))
    expect(window.shown()).toEqual([])
    expect(disk.texts()).toEqual([])
  })

  test('a member who signs out meanwhile takes nothing along, and nothing is refused', async () => {
    const window = openWindow()
    isLost = true
    await window.say('one')
    await window.say('two')
    server.during = async () => {
      window.close()
      server.fails = 'forbidden'
    }
    await window.drain()
    expect(server.asked).toBe(1)
    expect(disk.texts()).toEqual(['one', 'two'])
    expect((await disk.store.load()).every(({ state }) => state === 'waiting')).toBe(true)
  })

  test('one that arrives after its window was closed is forgotten, and no other window is called', async () => {
    const window = openWindow()
    isLost = true
    await window.say('one')
    tellOthers.mockReset()
    server.during = async () => window.close()
    await window.drain()
    expect(server.texts()).toEqual(['one'])
    expect(disk.texts()).toEqual([])
    expect(tellOthers).not.toHaveBeenCalled()
  })
})

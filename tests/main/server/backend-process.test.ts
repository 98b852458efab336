import { describe, expect, test } from 'vitest'
import type { BackendChild } from '#/main/server/backend-child'
import { createBackendProcess } from '#/main/server/backend-process'
import type { BackendCommand, BackendReport, RunningBackend } from '#/shared/backend-messages'
import type { BackendState } from '#/shared/bridge'
import { manualClock } from '../support/manual-clock'
import { recordingLog } from '../support/recording-log'

/** A fake backend controlled by the test. */
function fakeChild() {
  const commands: BackendCommand[] = []
  let report: (report: BackendReport) => void = () => undefined
  let exit: (code: number) => void = () => undefined
  let isAlive = true
  const child: BackendChild = {
    send: (command) => commands.push(command),
    onReport: (listener) => {
      report = listener
    },
    onExit: (listener) => {
      exit = listener
    },
    kill: () => end(15),
  }
  function end(code: number): void {
    if (!isAlive) return
    isAlive = false
    exit(code)
  }
  const port = () => (commands[0]?.type === 'start' ? commands[0].port : 0)
  return {
    child,
    commands,
    port,
    isAlive: () => isAlive,
    end,
    log: (text: string) => report({ type: 'log', level: 'warn', text }),
    ready: (own: Partial<RunningBackend> = {}) =>
      report({
        type: 'ready',
        url: `http://127.0.0.1:${port()}`,
        port: port(),
        publishableKey: 'sb_publishable_x',
        demo: [],
        mailFile: '/data/mails.txt',
        restoredFrom: null,
        ...own,
      }),
    fail: (code: Extract<BackendReport, { type: 'failed' }>['code'], message: string) => {
      report({ type: 'failed', code, message })
      end(1)
    },
  }
}

function createTestBackend(lastPort: number | null = null) {
  const clock = manualClock()
  const log = recordingLog()
  const children: ReturnType<typeof fakeChild>[] = []
  const states: BackendState[] = []
  const ports = { last: lastPort, moves: 0, taken: new Set<number>() }
  const snapshots = { exist: true }
  const backend = createBackendProcess({
    fork: () => {
      if (children.some((other) => other.isAlive())) throw new Error('a second backend beside a living one')
      const child = fakeChild()
      children.push(child)
      return child.child
    },
    start: { dataDir: '/data', allowedOrigins: ['app://bundle'], demo: true },
    pickPort: async (preferred) => {
      const free = [preferred, 5_001, 5_002, 5_003]
      const port = free.find((one) => one !== null && !ports.taken.has(one)) ?? null
      if (port === null) throw new Error('no free port')
      return port
    },
    lastPort: {
      read: () => ports.last,
      write: (port) => {
        ports.last = port
      },
    },
    hasSnapshot: async () => snapshots.exist,
    schedule: clock.schedule,
    now: clock.now,
    changed: (state) => states.push(state),
    moved: () => {
      ports.moves += 1
    },
    log,
  })
  const newest = () => {
    const child = children.at(-1)
    if (child === undefined) throw new Error('no backend was started')
    return child
  }
  return { backend, clock, log, children, newest, states, ports, snapshots }
}

/** Waits until a launch has picked its port. */
const launched = () => new Promise((resolve) => setImmediate(resolve))

async function started(lastPort: number | null = null) {
  const all = createTestBackend(lastPort)
  await all.backend.prepare()
  all.backend.start()
  await launched()
  return all
}

describe('starting', () => {
  test('picks the port before starting, preferably the previous one', async () => {
    const { backend, children, ports } = createTestBackend(4_321)
    await backend.prepare()
    expect(backend.url()).toBe('http://127.0.0.1:4321')
    expect(ports.last).toBe(4_321)
    expect(children).toEqual([])
  })

  test('sends folder, port, origins and demo flag first', async () => {
    const { newest } = await started()
    expect(newest().commands).toEqual([
      { type: 'start', port: 5_001, dataDir: '/data', allowedOrigins: ['app://bundle'], demo: true },
    ])
  })

  test('calls before it is ready resolve once it is', async () => {
    const { backend, newest, states } = await started()
    const asked = backend.running()
    newest().ready()
    expect(await asked).toMatchObject({ publishableKey: 'sb_publishable_x', port: 5_001 })
    expect(await backend.running()).toMatchObject({ port: 5_001 })
    expect(states).toEqual([{ state: 'starting' }, { state: 'ready' }])
  })

  test('forwards its log lines', async () => {
    const { newest, log } = await started()
    newest().log('snapshot written')
    expect(log.lines).toEqual(['warn backend: snapshot written'])
  })

  test('starting twice starts one process', async () => {
    const { backend, children } = await started()
    backend.start()
    expect(children).toHaveLength(1)
  })
})

describe('restarting', () => {
  test('DESK-13 restarts on the same port after a crash, and keeps its details available', async () => {
    const { backend, newest, children, states } = await started()
    newest().ready()
    newest().end(9)
    expect(states.at(-1)).toEqual({ state: 'restarting' })
    expect(await backend.running()).toMatchObject({ port: 5_001 })
    await launched()
    expect(children).toHaveLength(2)
    expect(newest().port()).toBe(5_001)
    newest().ready()
    expect(backend.state()).toEqual({ state: 'ready' })
  })

  test('restarts once a minute: a second crash within one fails', async () => {
    const { backend, clock, newest, children, states } = await started()
    for (let round = 1; round <= 3; round++) {
      newest().ready()
      await clock.advance(60_000)
      newest().end(1)
      expect(states.at(-1)).toEqual({ state: 'restarting' })
      await launched()
      expect(children).toHaveLength(round + 1)
    }
    newest().ready()
    await clock.advance(59_999)
    newest().end(1)
    await launched()
    expect(children).toHaveLength(4)
    const failed = { state: 'failed', message: 'It ended unexpectedly.' }
    expect(states.slice(-2)).toEqual([
      { ...failed, canRestore: false },
      { ...failed, canRestore: true },
    ])
    expect(clock.next()).toBeNull()
    await expect(backend.running()).rejects.toMatchObject({ code: 'backend-failed' })
  })

  test('a process that ends before it is ready fails, and rejects waiting callers', async () => {
    const { backend, newest, children } = await started()
    const asked = expect(backend.running()).rejects.toMatchObject({ code: 'backend-failed' })
    newest().end(1)
    await asked
    await launched()
    expect(children).toHaveLength(1)
    expect(backend.state()).toMatchObject({ state: 'failed', canRestore: true })
  })

  test.each(['newer', 'migration', 'damaged', 'locked', 'port'] as const)(
    '%s: fails with the message of the backend, without a restore',
    async (code) => {
      const { backend, newest, children } = await started()
      newest().fail(code, 'In plain words.')
      await launched()
      expect(children).toHaveLength(1)
      expect(backend.state()).toEqual({ state: 'failed', message: 'In plain words.', canRestore: false })
    },
  )

  test('offers a restore only if there is a snapshot, until the next start', async () => {
    const { backend, newest, children, snapshots } = await started()
    snapshots.exist = false
    newest().end(1)
    await launched()
    expect(backend.state()).toMatchObject({ state: 'failed', canRestore: false })
    backend.restore()
    await launched()
    expect(children).toHaveLength(1)

    snapshots.exist = true
    backend.retry()
    await launched()
    newest().end(1)
    await launched()
    expect(backend.state()).toMatchObject({ state: 'failed', canRestore: true })
    backend.retry()
    expect(backend.state()).toEqual({ state: 'starting' })
    backend.restore()
    backend.retry()
    await launched()
    expect(children).toHaveLength(3)
  })

  test.each<[string, (all: Awaited<ReturnType<typeof started>>) => void]>([
    ['starts', () => undefined],
    ['runs', ({ newest }) => newest().ready()],
    [
      'runs on a restored snapshot',
      ({ newest }) => newest().ready({ restoredFrom: '2026-11-20T10:00:00.000Z' }),
    ],
    [
      'restarts',
      ({ newest }) => {
        newest().ready()
        newest().end(1)
      },
    ],
    ['stops', ({ backend }) => void backend.stop()],
  ])('ignores a restore request while the backend %s, also at the next launch', async (_, arrange) => {
    const all = await started()
    const { backend, children, newest } = all
    arrange(all)
    const before = backend.state()
    backend.restore()
    expect(backend.state()).toEqual(before)
    newest().end(1)
    await launched()
    backend.start()
    await launched()
    expect(children).toHaveLength(2)
    expect(newest().commands[0]).not.toHaveProperty('restore')
  })

  test('ignores a restore request after a failure that a snapshot cannot fix, also at the next launch', async () => {
    const { backend, children, newest } = await started()
    newest().fail('damaged', 'In plain words.')
    backend.restore()
    await launched()
    expect(children).toHaveLength(1)
    backend.retry()
    await launched()
    expect(newest().commands[0]).not.toHaveProperty('restore')
  })

  test('requests a restore for one launch only', async () => {
    const { backend, newest } = await started()
    newest().end(1)
    await launched()
    backend.restore()
    await launched()
    expect(newest().commands[0]).toMatchObject({ type: 'start', restore: true })
    newest().ready({ restoredFrom: '2026-11-20T10:00:00.000Z' })
    expect(backend.state()).toEqual({ state: 'restored', from: '2026-11-20T10:00:00.000Z' })
    newest().end(1)
    await launched()
    expect(newest().commands[0]).not.toHaveProperty('restore')
  })

  test('picks and saves a new port if the old one is taken, and reloads the page', async () => {
    const { backend, newest, ports } = await started()
    newest().fail('port', 'Taken.')
    ports.taken.add(5_001)
    backend.retry()
    await launched()
    expect(newest().port()).toBe(5_002)
    expect(backend.url()).toBe('http://127.0.0.1:5002')
    expect(ports).toMatchObject({ last: 5_002, moves: 1 })
  })

  test('fails with a message if there is no free port, and can be started again', async () => {
    const { backend, newest, children, ports } = await started()
    newest().ready()
    for (const port of [5_001, 5_002, 5_003]) ports.taken.add(port)
    newest().end(1)
    await launched()
    expect(children).toHaveLength(1)
    expect(backend.state()).toMatchObject({ state: 'failed', message: 'It ended unexpectedly.' })
    ports.taken.clear()
    backend.start()
    await launched()
    newest().ready()
    expect(await backend.running()).toMatchObject({ port: 5_001 })
  })

  test('keeps its port while it runs, although the port is not free then', async () => {
    const { backend, ports } = await started()
    ports.taken.add(5_001)
    await backend.prepare()
    expect(backend.url()).toBe('http://127.0.0.1:5001')
    expect(ports.moves).toBe(0)
  })
})

describe('stopping', () => {
  test('requests a shutdown and waits for the exit', async () => {
    const { backend, clock, newest, states } = await started()
    newest().ready()
    let isStopped = false
    const stopped = backend.stop().then(() => {
      isStopped = true
    })
    expect(newest().commands.at(-1)).toEqual({ type: 'shutdown' })
    await Promise.resolve()
    expect(isStopped).toBe(false)
    newest().end(0)
    await stopped
    expect(states.at(-1)).toEqual({ state: 'ready' })
    expect(clock.next()).toBeNull()
  })

  test('kills a process that does not stop', async () => {
    const { backend, clock, newest } = await started()
    newest().ready()
    const stopped = backend.stop()
    await clock.advance(20_000)
    await stopped
    expect(newest().isAlive()).toBe(false)
  })

  test('two stop calls send one shutdown, and both wait', async () => {
    const { backend, newest } = await started()
    const both = Promise.all([backend.stop(), backend.stop()])
    expect(newest().commands.filter(({ type }) => type === 'shutdown')).toHaveLength(1)
    newest().end(0)
    await both
  })

  test('stopping before the next launch cancels it', async () => {
    const { backend, newest, children } = await started()
    newest().ready()
    newest().end(1)
    await backend.stop()
    await launched()
    expect(children).toHaveLength(1)
  })

  test('start during shutdown waits for the exit, so that two never run at once', async () => {
    const { backend, newest, children } = await started()
    newest().ready()
    const stopped = backend.stop()
    backend.start()
    expect(children).toHaveLength(1)
    newest().end(0)
    await stopped
    await launched()
    expect(children).toHaveLength(2)
    newest().ready()
    expect(backend.state()).toEqual({ state: 'ready' })
  })
})

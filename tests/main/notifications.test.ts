import { EventEmitter } from 'node:events'
import type { NotificationConstructorOptions } from 'electron'
import { beforeEach, describe, expect, test } from 'vitest'
import {
  createNotifications,
  followEarlierNotifications,
  type NotificationSystem,
  routeFromActivation,
} from '#/main/notifications'
import type { Notice } from '#/shared/bridge'
import { DEFAULT_PREFERENCES } from '#/shared/preferences'
import { type AppRoute, parseRoute } from '#/shared/routes'
import { manualClock } from './support/manual-clock'
import { recordingLog } from './support/recording-log'

const POST = '/?post=0193a6f2-5a51-7b7c-8d5f-0a5f3c1e9b10'

class FakeNotification extends EventEmitter {
  static shown: FakeNotification[] = []
  static history: FakeNotification[] = []
  static isThere = true
  static activate: Parameters<NotificationSystem['handleActivation']>[0] | null = null
  readonly id: string

  constructor(readonly options: NotificationConstructorOptions) {
    super()
    this.id = options.id ?? ''
  }

  static isSupported(): boolean {
    return FakeNotification.isThere
  }

  static handleActivation(callback: Parameters<NotificationSystem['handleActivation']>[0]): void {
    FakeNotification.activate = callback
  }

  static async getHistory(): Promise<FakeNotification[]> {
    return FakeNotification.history
  }

  show(): void {
    FakeNotification.shown.push(this)
  }
}

const system = FakeNotification as unknown as NotificationSystem

function notificationsWith({ isWanted = true, platform = 'linux' as NodeJS.Platform } = {}) {
  const clock = manualClock()
  const log = recordingLog()
  const opened: AppRoute[] = []
  let inView: AppRoute | null = null
  const handlers = createNotifications({
    system,
    platform,
    moment: () => ({
      now: 0,
      preferences: { ...DEFAULT_PREFERENCES, notificationsPausedUntil: isWanted ? null : 1 },
      window: { isVisible: inView !== null, isFocused: inView !== null },
      inView,
    }),
    open: (route) => opened.push(route),
    schedule: clock.schedule,
    now: clock.now,
    log,
  })
  const look = (route: string) => {
    inView = parseRoute(route)
  }
  return { clock, log, look, opened, show: handlers['notifications.show'] }
}

function like(id: string, given: Partial<Notice> = {}): Notice {
  return { kind: 'like', id, title: 'mara', body: 'liked your post', route: POST, ...given }
}

const titles = () => FakeNotification.shown.map(({ options }) => options.title)

beforeEach(() => {
  FakeNotification.shown = []
  FakeNotification.history = []
  FakeNotification.isThere = true
  FakeNotification.activate = null
})

describe('DESK-03 notifications', () => {
  test('an event is told once, however often it is reported', async () => {
    const { clock, show } = notificationsWith()
    show(like('a'))
    show(like('a'))
    await clock.advance(5_000)
    show(like('a'))
    await clock.advance(5_000)
    expect(titles()).toEqual(['mara'])
  })

  test('remembers the last 1,000 events when more have been reported', async () => {
    const { clock, show } = notificationsWith()
    const report = async (from: number, to: number) => {
      for (let id = from; id <= to; id++) show(like(String(id)))
      await clock.advance(60_000)
    }
    await report(1, 1_001)
    expect(titles()).toEqual(['1001 new likes'])
    await report(2, 1_001)
    expect(titles()).toHaveLength(1)
    // The oldest event was forgotten to make room for event 1,001, so it counts as new.
    await report(1, 1)
    expect(titles()).toEqual(['1001 new likes', 'mara'])
  })

  test('a burst becomes one, which comes when it is over', async () => {
    const { clock, show } = notificationsWith()
    for (const id of ['a', 'b', 'c', 'd', 'e']) {
      show(like(id))
      await clock.advance(300)
    }
    expect(titles()).toEqual([])
    await clock.advance(400)
    expect(titles()).toEqual(['5 new likes'])
  })

  test('a burst that does not end is told after three seconds all the same', async () => {
    const { clock, show } = notificationsWith()
    for (let id = 0; id < 12; id++) {
      show(like(String(id)))
      await clock.advance(500)
    }
    await clock.advance(5_000)
    expect(titles()).toEqual(['6 new likes', '6 new likes'])
  })

  test('a click brings the window up on what it is about', async () => {
    const { clock, opened, show } = notificationsWith()
    show(like('a'))
    await clock.advance(700)
    FakeNotification.shown[0]?.emit('click', {})
    expect(opened).toEqual([parseRoute(POST)])
  })

  test('what is not wanted now is not told later either', async () => {
    const { clock, show } = notificationsWith({ isWanted: false })
    show(like('a'))
    await clock.advance(10_000)
    expect(titles()).toEqual([])
    expect(clock.next()).toBeNull()
  })

  test('a flood of conversations is no flood of notifications; what waits is told when there is room', async () => {
    const { clock, show } = notificationsWith()
    for (let other = 10; other < 90; other++) {
      const route = `/messages?c=0193a6f2-5a51-7b7c-8d5f-0a5f3c1e9b${other}`
      show({ ...like(`m${other}`, { title: `member${other}`, route }), kind: 'message' })
    }
    await clock.advance(700)
    expect(titles()).toHaveLength(6)
    // One more of a conversation that waits becomes one with it.
    show({
      ...like('again', { title: 'member20', route: '/messages?c=0193a6f2-5a51-7b7c-8d5f-0a5f3c1e9b20' }),
      kind: 'message',
    })
    await clock.advance(60_000)
    expect(titles()).toHaveLength(18)
    await clock.advance(600_000)
    expect(titles()).toHaveLength(40)
    expect(FakeNotification.shown.filter(({ options }) => options.body === '2 new messages')).toHaveLength(1)
    expect(clock.next()).toBeNull()
  })

  test('what the member came to look at meanwhile is not told', async () => {
    const { clock, look, show } = notificationsWith()
    show(like('a'))
    show(like('b', { kind: 'comment', route: '/profile/mara' }))
    look(POST)
    await clock.advance(5_000)
    expect(FakeNotification.shown.map(({ options }) => options.id)).toEqual(['/profile/mara#b'])
  })

  test('a system without notifications gets none; one that refuses is logged', async () => {
    const { clock, log, show } = notificationsWith()
    FakeNotification.isThere = false
    show(like('a'))
    await clock.advance(5_000)
    expect(titles()).toEqual([])

    FakeNotification.isThere = true
    show(like('b'))
    await clock.advance(5_000)
    FakeNotification.shown[0]?.emit('failed', {}, 'not signed')
    expect(log.lines).toEqual(['warn notification not shown: not signed'])
  })
})

describe('DESK-03 on Windows', () => {
  test('a click opens a link of the app, whether it runs or not', async () => {
    const { clock, show } = notificationsWith({ platform: 'win32' })
    show(like('a', { title: 'Ben & <Jerry>', body: 'says "hi"\u0007' }))
    await clock.advance(700)
    expect(FakeNotification.shown[0]?.options.toastXml).toBe(
      '<toast activationType="protocol" launch="vignette://post/0193a6f2-5a51-7b7c-8d5f-0a5f3c1e9b10">' +
        '<visual><binding template="ToastGeneric"><text>Ben &amp; &lt;Jerry&gt;</text><text>says &quot;hi&quot;</text>' +
        '</binding></visual></toast>',
    )
  })

  test('what Windows refuses in that form is told plainly, once', async () => {
    const { clock, log, opened, show } = notificationsWith({ platform: 'win32' })
    show(like('a'))
    await clock.advance(700)
    FakeNotification.shown[0]?.emit('failed', {}, 'no such template')
    FakeNotification.shown[1]?.emit('failed', {}, 'nor this')
    expect(titles()).toEqual(['mara', 'mara'])
    expect(FakeNotification.shown[1]?.options).not.toHaveProperty('toastXml')
    expect(log.lines).toHaveLength(2)
    FakeNotification.shown[1]?.emit('click', {})
    expect(opened).toEqual([parseRoute(POST)])
  })

  test('the other systems get no such form', async () => {
    const { clock, show } = notificationsWith({ platform: 'darwin' })
    show(like('a'))
    await clock.advance(700)
    expect(FakeNotification.shown[0]?.options).not.toHaveProperty('toastXml')
  })
})

describe('DESK-03 clicks on what an earlier run told', () => {
  async function follow(platform: NodeJS.Platform) {
    const opened: (AppRoute | 'shown')[] = []
    await followEarlierNotifications({
      system,
      platform,
      open: (route) => opened.push(route),
      show: () => opened.push('shown'),
    })
    return opened
  }

  test('macOS hands back the notifications themselves', async () => {
    FakeNotification.history = [
      new FakeNotification({ id: `${POST}#a` }),
      new FakeNotification({ id: 'of another version' }),
    ]
    const opened = await follow('darwin')
    for (const notification of FakeNotification.history) notification.emit('click', {})
    expect(opened).toEqual([parseRoute(POST), 'shown'])
  })

  test('Windows tells of activations, also of the one that started the app', async () => {
    const opened = await follow('win32')
    FakeNotification.activate?.({
      type: 'click',
      arguments: `type=click&tag=${encodeURIComponent(`${POST}#a`)}`,
    })
    FakeNotification.activate?.({ type: 'action', arguments: '' })
    // As Electron names one of this run, which hears of its click by itself.
    FakeNotification.activate?.({ type: 'click', arguments: 'type=click&tag=2876514' })
    expect(opened).toEqual([parseRoute(POST), 'shown'])
  })

  test('Linux has nothing of the kind', async () => {
    expect(await follow('linux')).toEqual([])
    expect(FakeNotification.activate).toBeNull()
  })

  test.each([
    [`${POST}#event`, parseRoute(POST)],
    [`tag=${POST}#event&group=`, parseRoute(POST)],
    [`"/profile/mara#1"`, { page: 'profile', username: 'mara' }],
    ['', null],
    ['tag=event', null],
    ['tag=/login#1', null],
    ['tag=//evil.example#1', null],
    ['%', null],
    ['tag=/profile/../settings#1', null],
  ])('a route is found in %j, or none', (text, route) => {
    expect(routeFromActivation(text)).toEqual(route)
  })
})

import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { beforeEach, describe, expect, test } from 'vitest'
import { handleEarlierNotifications, parseActivation } from '#/main/notifications/notifications'
import { limitedId } from '#/main/notifications/system-notifications'
import { type AppRoute, parseRoute } from '#/shared/routes'
import {
  FakeNotification,
  like,
  notificationsWith,
  POST,
  resetNotifications,
  systemOn,
} from '../support/fake-notifications'

const titles = () => FakeNotification.shown.map(({ options }) => options.title)

beforeEach(resetNotifications)

describe('DESK-03 notifications', () => {
  test('shows a notice once, however often it is reported', async () => {
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

  test('keeps 2,000 events of a group that waits, and the picture of the latest', async () => {
    const { clock, show } = notificationsWith()
    for (let id = 0; id < 2_500; id += 1) show(like(String(id), { icon: `picture ${id}` }))
    await clock.advance(5_000)
    expect(titles()).toEqual(['2000 new likes'])
    expect(FakeNotification.shown.map(({ options }) => options.icon)).toEqual(['picture 2499'])
  })

  test('combines a burst into one notification after it ends', async () => {
    const { clock, show } = notificationsWith()
    for (const id of ['a', 'b', 'c', 'd', 'e']) {
      show(like(id))
      await clock.advance(300)
    }
    expect(titles()).toEqual([])
    await clock.advance(400)
    expect(titles()).toEqual(['5 new likes'])
  })

  test('shows a continuing burst after three seconds', async () => {
    const { clock, show } = notificationsWith()
    for (let id = 0; id < 12; id++) {
      show(like(String(id)))
      await clock.advance(500)
    }
    await clock.advance(5_000)
    expect(titles()).toEqual(['6 new likes', '6 new likes'])
  })

  test('never shows a notice that is suppressed when it arrives', async () => {
    const { clock, show } = notificationsWith({ areNoticesOn: false })
    show(like('a'))
    await clock.advance(10_000)
    expect(titles()).toEqual([])
    expect(clock.next()).toBeNull()
  })

  test('rate-limits notifications of many conversations and shows the rest later', async () => {
    const { clock, show } = notificationsWith()
    for (let other = 10; other < 90; other++) {
      const route = `/messages?c=0193a6f2-5a51-7b7c-8d5f-0a5f3c1e9b${other}`
      show({ ...like(`m${other}`, { title: `member${other}`, route }), kind: 'message' })
    }
    await clock.advance(700)
    expect(titles()).toHaveLength(6)
    // A further notice of a pending conversation is combined with it.
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

  test('skips a notice whose route the member has opened during the delay', async () => {
    const { clock, look, show } = notificationsWith()
    show(like('a'))
    show(like('b', { kind: 'comment', route: '/profile/mara' }))
    look(POST)
    await clock.advance(5_000)
    expect(FakeNotification.shown.map(({ options }) => options.id)).toEqual(['/profile/mara#b'])
  })

  test('shows nothing on a system without notifications; logs one that fails', async () => {
    const { clock, log, show } = notificationsWith()
    FakeNotification.isThere = false
    show(like('a'))
    await clock.advance(5_000)
    expect(titles()).toEqual([])

    FakeNotification.isThere = true
    show(like('b'))
    await clock.advance(5_000)
    FakeNotification.shown[0]?.emit('failed', {}, 'not signed')
    expect(log.lines).toEqual(['warn could not show the notification: not signed'])
  })
})

test('DESK-10 a message notification requests attention; likes and paused ones do not', async () => {
  const { clock, show, requests } = notificationsWith()
  show(like('a'))
  await clock.advance(700)
  expect(requests()).toBe(0)
  show(like('b', { kind: 'message' }))
  await clock.advance(700)
  expect(requests()).toBe(1)

  const paused = notificationsWith({ areNoticesOn: false })
  paused.show(like('c', { kind: 'message' }))
  await paused.clock.advance(5_000)
  expect(paused.requests()).toBe(0)
})

test('DESK-03 a notification that throws is logged and leaves the app running', async () => {
  const { clock, log, show } = notificationsWith()
  FakeNotification.failure = new Error('no notification service')
  show(like('a'))
  await clock.advance(700)
  expect(log.lines.join()).toContain('warn could not show the notification: Error: no notification service')
  FakeNotification.failure = null
  show(like('b'))
  await clock.advance(700)
  expect(titles()).toEqual(['mara'])
})

test('DESK-03 escapes the body on Linux, where it is markup', async () => {
  const { clock, show } = notificationsWith({ platform: 'linux' })
  show(like('a', { title: 'A & B', body: '<a href="https://example.com">5 > 3</a> & so on' }))
  await clock.advance(700)
  expect(FakeNotification.shown[0]?.options).toMatchObject({
    title: 'A & B',
    body: '&lt;a href="https://example.com"&gt;5 &gt; 3&lt;/a&gt; &amp; so on',
  })
})

describe('DESK-03 on Windows', () => {
  test('ids are at most 64 UTF-16 units long and stay distinct', async () => {
    const { clock, log, show } = notificationsWith({ platform: 'win32' })
    const route = '/messages?c=0193a6f2-5a51-7b7c-8d5f-0a5f3c1e9b10'
    show(like('0193a6f2-5a51-7b7c-8d5f-0a5f3c1e9b11', { kind: 'message', route }))
    await clock.advance(700)
    show(like('0193a6f2-5a51-7b7c-8d5f-0a5f3c1e9b12', { kind: 'message', route }))
    await clock.advance(700)
    expect(log.lines).toEqual([])
    expect(new Set(FakeNotification.shown.map(({ id }) => id)).size).toBe(2)
    expect(limitedId('short', 'win32')).toBe('short')
    expect(limitedId('x'.repeat(64), 'win32')).toBe('x'.repeat(64))
    expect(limitedId('x'.repeat(65), 'darwin')).toBe('x'.repeat(65))
  })

  test('a click opens a deep link, whether the app runs or not', async () => {
    const { clock, show } = notificationsWith({ platform: 'win32' })
    show(like('a', { title: 'Ben & <Jerry>', body: 'says "hi"\u0007' }))
    await clock.advance(700)
    expect(FakeNotification.shown[0]?.options.toastXml).toBe(
      '<toast activationType="protocol" launch="vignette://post/0193a6f2-5a51-7b7c-8d5f-0a5f3c1e9b10">' +
        '<visual><binding template="ToastGeneric"><text>Ben &amp; &lt;Jerry&gt;</text><text>says &quot;hi&quot;</text>' +
        '</binding></visual></toast>',
    )
  })

  test('retries once without toast XML when Windows rejects it', async () => {
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

  test('other systems get no toast XML', async () => {
    const { clock, show } = notificationsWith({ platform: 'darwin' })
    show(like('a'))
    await clock.advance(700)
    expect(FakeNotification.shown[0]?.options).not.toHaveProperty('toastXml')
  })
})

describe('DESK-03 clicks on notifications of an earlier run', () => {
  function follow(platform: NodeJS.Platform) {
    const opened: (AppRoute | 'shown')[] = []
    const { system, log } = systemOn(platform)
    handleEarlierNotifications(system, {
      open: (route) => opened.push(route),
      show: () => opened.push('shown'),
      launchInfo: undefined,
      answer: () => undefined,
      restored: () => undefined,
    })
    return { opened, system, log }
  }
  const settle = () => new Promise<void>((resolve) => setImmediate(resolve))

  test.each(['darwin', 'win32'] as const)(
    '%s keeps the latest 200, and tells which it has forgotten',
    (platform) => {
      const { system } = systemOn(platform)
      const forgotten: number[] = []
      for (let at = 0; at < 203; at += 1)
        system.show({ title: 'mara', body: '', closed: () => forgotten.push(at) })
      expect(forgotten).toEqual([0, 1, 2])
    },
  )

  test('macOS and Windows keep at most 200 notices on screen, however many are not read', async () => {
    const { clock, show, ids } = notificationsWith({ platform: 'darwin' })
    for (let id = 0; id < 203; id += 1) {
      show(like(String(id)))
      await clock.advance(5_000)
    }
    expect(ids()).toHaveLength(100)
  })

  test('macOS restores the notifications, and asks for permission only after sign-in', async () => {
    FakeNotification.history = [
      new FakeNotification({ id: `${POST}#a` }),
      new FakeNotification({ id: 'of another version' }),
    ]
    FakeNotification.uses = 0
    const { opened, system } = follow('darwin')
    expect(system.isSupported()).toBe(true)
    await settle()
    expect(FakeNotification.uses).toBe(0)
    system.memberSignedIn()
    system.memberSignedIn()
    await settle()
    expect(FakeNotification.uses).toBe(1)
    for (const notification of FakeNotification.history) notification.emit('click', {})
    expect(opened).toEqual([parseRoute(POST), 'shown'])
  })

  test('macOS’s restored notifications stay referenced until they are clicked or closed', async () => {
    FakeNotification.history = [new FakeNotification({ id: `${POST}#a` })]
    const { opened, system } = follow('darwin')
    system.memberSignedIn()
    await settle()
    const kept = new WeakRef(FakeNotification.history.splice(0)[0] as FakeNotification)
    setFlagsFromString('--expose-gc')
    const collectGarbage: () => void = runInNewContext('gc')
    await settle()
    collectGarbage()
    await settle()
    kept.deref()?.emit('click', {})
    expect(opened).toEqual([parseRoute(POST)])
  })

  test('Windows reports activations, including the one that started the app', () => {
    const { opened } = follow('win32')
    FakeNotification.activate?.({
      type: 'click',
      arguments: `type=click&tag=${encodeURIComponent(`${POST}#a`)}`,
    })
    FakeNotification.activate?.({ type: 'action', arguments: '' })
    // Electron's id for a notification of this run, whose own listener handles the click.
    FakeNotification.activate?.({ type: 'click', arguments: 'type=click&tag=2876514' })
    expect(opened).toEqual([parseRoute(POST), 'shown'])
  })

  test('Linux has no activations', async () => {
    const { opened, system } = follow('linux')
    system.memberSignedIn()
    await settle()
    expect({ opened, uses: FakeNotification.uses }).toEqual({ opened: [], uses: 0 })
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
  ])('parses %j into a route or null', (text, route) => {
    expect(parseActivation(text)?.route ?? null).toEqual(route)
  })
})

import { beforeEach, describe, expect, test } from 'vitest'
import { parseActivation } from '#/main/notifications/notifications'
import type { Notice } from '#/shared/bridge'
import { parseRoute } from '#/shared/routes'
import {
  FakeNotification,
  like,
  notificationsWith,
  POST,
  resetNotifications,
} from './support/fake-notifications'

const CONVERSATION_ID = '0193a6f2-5a51-7b7c-8d5f-0a5f3c1e9b10'
const CONVERSATION = `/messages?c=${CONVERSATION_ID}`
const POST_ID = '0193a6f2-5a51-7b7c-8d5f-0a5f3c1e9b11'
const NOTICE_ID = '0193a6f2-5a51-7b7c-8d5f-0a5f3c1e9b11'

function messageNotice(id: string, given: Partial<Notice> = {}): Notice {
  return { ...like(id, { title: 'mara', body: 'Hello', route: CONVERSATION }), kind: 'message', ...given }
}

beforeEach(resetNotifications)

const bodiesOnScreen = () =>
  FakeNotification.shown
    .filter((notification) => !FakeNotification.closed.includes(notification))
    .map(({ options }) => options.body)

describe('DESK-10 read notifications', () => {
  test.each(['darwin', 'win32', 'linux'] as const)(
    '%s: removes the notification of a read message and keeps the others',
    async (platform) => {
      const { clock, show, dismiss, ids, releases } = notificationsWith({ platform })
      show(messageNotice('m1'))
      show(like('l1', { body: 'liked it' }))
      await clock.advance(700)
      expect(ids()).toEqual(['m1', 'l1'])
      const before = releases()
      dismiss(['m1', 'unknown'])
      expect(bodiesOnScreen()).toEqual(['liked it'])
      expect(ids()).toEqual(['l1'])
      expect(releases()).toBe(before + 1)
    },
  )

  test('keeps a notification of several notices until all are read', async () => {
    const { clock, show, dismiss } = notificationsWith()
    show(messageNotice('m1'))
    show(messageNotice('m2'))
    await clock.advance(1_000)
    dismiss(['m1'])
    expect(bodiesOnScreen()).toEqual(['2 new messages'])
    dismiss(['m2'])
    expect(bodiesOnScreen()).toEqual([])
  })

  test('does not show a notice that was read during the delay', async () => {
    const { clock, show, dismiss } = notificationsWith()
    show(messageNotice('m1'))
    show(messageNotice('m2'))
    dismiss(['m1', 'm3'])
    show(messageNotice('m3'))
    await clock.advance(1_000)
    expect(bodiesOnScreen()).toEqual(['Hello'])
    show(like('l1'))
    dismiss(['l1'])
    expect(clock.next()).toBeNull()
  })

  test('removes a toast from the notification centre of Windows', async () => {
    const { clock, show, dismiss, ids } = notificationsWith({ platform: 'win32' })
    show(messageNotice('m1'))
    await clock.advance(700)
    FakeNotification.shown[0]?.emit('close', { reason: 'timedOut' })
    expect(ids()).toEqual(['m1'])
    dismiss(['m1'])
    expect(FakeNotification.closed).toHaveLength(1)
  })

  test('forgets a notification that was dismissed or clicked', async () => {
    const { clock, show, dismiss, ids } = notificationsWith()
    show(messageNotice('m1'))
    show(like('l1'))
    await clock.advance(700)
    FakeNotification.shown[0]?.emit('close', { reason: 'userCanceled' })
    FakeNotification.shown[1]?.emit('click', {})
    expect(ids()).toEqual([])
    dismiss(['m1', 'l1'])
    expect(FakeNotification.closed).toEqual([])
  })

  test('signing out removes all notifications and pending ones, earlier ones on macOS, and the pictures on Windows', async () => {
    for (const platform of ['darwin', 'win32', 'linux'] as const) {
      FakeNotification.shown = []
      const { clock, show, dismiss, ids, system, cleared } = notificationsWith({ platform })
      system.memberSignedIn()
      show(messageNotice('m1'))
      await clock.advance(700)
      show(like('l1'))
      dismiss(null)
      expect(bodiesOnScreen()).toEqual([])
      expect(ids()).toEqual([])
      expect(clock.next()).toBeNull()
      expect(FakeNotification.removals).toBe(1)
      expect(cleared()).toBe(platform === 'win32' ? 1 : 0)
    }
  })

  test('macOS: removes a notification of an earlier run once it is read', async () => {
    FakeNotification.history = [new FakeNotification({ id: `${CONVERSATION}#m1` })]
    const { system, dismiss, ids } = notificationsWith({ platform: 'darwin' })
    system.memberSignedIn()
    await new Promise<void>((resolve) => setImmediate(resolve))
    expect(ids()).toEqual(['m1'])
    dismiss(['m1'])
    expect(FakeNotification.closed).toEqual(FakeNotification.history)
  })
})

describe('DESK-10 NOTE-06 notifications of one conversation or post', () => {
  test.each(['darwin', 'win32'] as const)('%s groups them by its id', async (platform) => {
    const { clock, show } = notificationsWith({ platform })
    show(messageNotice('m1'))
    await clock.advance(700)
    show(messageNotice('m2'))
    show(like('l1', { route: `/?post=${POST_ID}` }))
    await clock.advance(700)
    expect(FakeNotification.shown.map(({ options }) => options.groupId)).toEqual([
      CONVERSATION_ID,
      CONVERSATION_ID,
      POST_ID,
    ])
    expect(FakeNotification.shown[2]?.options).not.toHaveProperty('groupTitle')
    expect(FakeNotification.closed).toEqual([])
  })

  test('on Linux the latest replaces the previous one', async () => {
    const { clock, show, ids } = notificationsWith({ platform: 'linux' })
    show(messageNotice('m1', { body: 'First' }))
    await clock.advance(700)
    show(messageNotice('m2', { body: 'Second' }))
    show(like('l1', { body: 'liked it' }))
    await clock.advance(700)
    expect(bodiesOnScreen()).toEqual(['Second', 'liked it'])
    expect(ids()).toEqual(['m2', 'l1'])
    expect(FakeNotification.shown[1]?.options).not.toHaveProperty('groupId')
    show(like('l2', { body: 'liked it too' }))
    show({ ...like('c1', { body: 'wrote about it' }), kind: 'comment' })
    await clock.advance(700)
    show(like('l3', { body: 'liked another', route: POST.replace(/0$/, '1') }))
    await clock.advance(700)
    expect(bodiesOnScreen()).toEqual(['Second', 'liked it too', 'wrote about it', 'liked another'])
  })
})

describe('DESK-10 the sender’s picture', () => {
  test.each(['darwin', 'linux'] as const)('%s shows it as the icon', async (platform) => {
    const { clock, show } = notificationsWith({ platform })
    show(messageNotice('m1', { icon: 'a picture' }))
    show(like('l1'))
    await clock.advance(700)
    expect(FakeNotification.shown.map(({ options }) => options.icon)).toEqual(['a picture', undefined])
  })

  test('Windows shows it from a file, unless the notice was read while the file was written', async () => {
    const { clock, show, dismiss, written } = notificationsWith({ platform: 'win32' })
    show(messageNotice('m1', { icon: 'a picture' }))
    await clock.advance(700)
    show(messageNotice('m2', { icon: 'a picture' }))
    await clock.advance(700)
    expect(FakeNotification.shown).toEqual([])
    dismiss(['m2'])
    for (const finish of written) finish('file:///data/a.png')
    await clock.advance(0)
    expect(FakeNotification.shown).toHaveLength(1)
    expect(FakeNotification.shown[0]?.options.toastXml).toContain(
      '<image placement="appLogoOverride" hint-crop="circle" src="file:///data/a.png"/>',
    )
  })
})

describe('DESK-10 answers in notifications', () => {
  test('macOS: a reply and ‘Mark as Read’ are queued for the page', async () => {
    const { clock, show, takeAnswers, answered, ids } = notificationsWith({ platform: 'darwin' })
    for (const id of ['m1', 'm2']) {
      show(messageNotice(id))
      await clock.advance(700)
    }
    expect(FakeNotification.shown[0]?.options).toMatchObject({
      hasReply: true,
      replyPlaceholder: 'Reply',
      actions: [{ type: 'button', text: 'Mark as Read' }],
    })
    FakeNotification.shown[0]?.emit('reply', { reply: ' On my way ' })
    expect(ids()).toEqual([])
    expect(FakeNotification.closed).toEqual([FakeNotification.shown[1]])
    show(messageNotice('m3'))
    await clock.advance(700)
    FakeNotification.shown[2]?.emit('action', { actionIndex: 0 })
    expect(answered()).toBe(2)
    expect(takeAnswers()).toEqual([
      { conversationId: CONVERSATION_ID, reply: 'On my way', until: null, owner: null },
      { conversationId: CONVERSATION_ID, reply: null, until: null, owner: null },
    ])
    expect(takeAnswers()).toEqual([])
  })

  test('macOS: a notification of an earlier run accepts a reply and ‘Mark as Read’', async () => {
    FakeNotification.history = ['m1', 'm2'].map((id) => new FakeNotification({ id: `${CONVERSATION}#${id}` }))
    const { system, takeAnswers } = notificationsWith({ platform: 'darwin' })
    system.memberSignedIn()
    await new Promise<void>((resolve) => setImmediate(resolve))
    FakeNotification.history[0]?.emit('reply', { reply: 'Yes' })
    FakeNotification.history[1]?.emit('action', { actionIndex: 0 })
    expect(takeAnswers()).toMatchObject([{ reply: 'Yes' }, { reply: null }])
  })

  test.each([
    ['REPLY_ACTION', [{ reply: 'Yes' }], 0],
    ['ACTION_0', [{ reply: null }], 0],
    ['com.apple.UNNotificationDefaultActionIdentifier', [], 1],
  ])('macOS: handles a launch by %s of a notification', (actionIdentifier, answers, clicks) => {
    const { takeAnswers, opened } = notificationsWith({
      platform: 'darwin',
      launchInfo: { identifier: `${CONVERSATION}#m1`, actionIdentifier, userText: 'Yes' },
    })
    expect(takeAnswers()).toMatchObject(answers)
    expect(opened).toHaveLength(clicks)
  })

  test('Windows: the toast has a reply input and a button whose arguments identify the conversation', async () => {
    const { clock, show, takeAnswers } = notificationsWith({ platform: 'win32' })
    show(messageNotice(NOTICE_ID))
    await clock.advance(700)
    const xml = FakeNotification.shown[0]?.options.toastXml ?? ''
    const about = encodeURIComponent(`${CONVERSATION}#${NOTICE_ID}`)
    expect(xml).toContain(
      `<header id="${CONVERSATION_ID}" title="mara" activationType="protocol" arguments="vignette://messages/${CONVERSATION_ID}"/>` +
        '<actions><input id="reply" type="text" placeHolderContent="Reply"/>' +
        `<action activationType="foreground" arguments="type=reply&amp;about=${about}" content="Send" hint-inputId="reply"/>` +
        `<action activationType="foreground" arguments="type=action&amp;action=0&amp;about=${about}" content="Mark as Read"/></actions>`,
    )
    const reply = { type: 'reply', arguments: `type=reply&about=${about}`, reply: 'Yes' }
    FakeNotification.activate?.(reply)
    // The running app and its activator may both receive it.
    FakeNotification.activate?.(reply)
    expect(takeAnswers()).toEqual([
      { conversationId: CONVERSATION_ID, reply: 'Yes', until: null, owner: null },
    ])
  })

  test('Windows: handles an answer that starts the app; ignores invalid and empty replies', () => {
    const { takeAnswers } = notificationsWith({ platform: 'win32' })
    const about = (path: string) => `about=${encodeURIComponent(path)}`
    FakeNotification.activate?.({
      type: 'action',
      arguments: `type=action&action=0&${about(`${CONVERSATION}#n1`)}`,
      actionIndex: 0,
    })
    for (const path of ['/profile/mara#n2', '/login#n3', 'nonsense'])
      FakeNotification.activate?.({ type: 'action', arguments: about(path) })
    FakeNotification.activate?.({ type: 'reply', arguments: about(`${CONVERSATION}#n4`), reply: '  ' })
    FakeNotification.activate?.({ type: 'reply', arguments: about(`${CONVERSATION}#n5`) })
    expect(takeAnswers()).toEqual([
      { conversationId: CONVERSATION_ID, reply: null, until: null, owner: null },
    ])
  })

  test.each(['darwin', 'win32'] as const)(
    '%s: an answer is about the newest message of the notifications that it removes, also after a restart',
    async (platform) => {
      const at = (second: number) => `2026-11-28T12:00:0${second}.123456+00:00`
      const { clock, show, takeAnswers } = notificationsWith({ platform })
      show(messageNotice('m1', { sentAt: at(1) }))
      show(messageNotice('m3', { sentAt: at(3) }))
      show(messageNotice('m2', { sentAt: at(3) }))
      await clock.advance(700)
      const [shown] = FakeNotification.shown
      const id = `${CONVERSATION}#m3@${at(3)}`
      if (platform === 'darwin') shown?.emit('action', { actionIndex: 0 })
      else {
        expect(shown?.options.toastXml).toContain(encodeURIComponent(id))
        FakeNotification.activate?.({
          type: 'action',
          arguments: `about=${encodeURIComponent(id)}`,
          actionIndex: 0,
        })
      }
      expect(takeAnswers()).toMatchObject([{ until: { created_at: at(3), id: 'm3' } }])
      if (platform === 'darwin') expect(parseActivation(id)).toMatchObject({ id: 'm3', sentAt: at(3) })
      expect(parseActivation(`${CONVERSATION}#m3@yesterday`)).not.toHaveProperty('sentAt')
    },
  )

  test.each(['darwin', 'win32'] as const)(
    '%s: an answer says whom its notification was for, also after a restart; one of an earlier version does not',
    async (platform) => {
      const owner = '0123456789abcdef0123456789abcdef'
      const first = notificationsWith({ platform })
      first.show(messageNotice('m1', { owner, sentAt: '2026-11-28T12:00:00Z' }))
      first.show(messageNotice('m2', { owner, route: CONVERSATION.replace(/0$/, '1') }))
      await first.clock.advance(700)
      const { shown } = FakeNotification
      if (platform === 'darwin') {
        for (const notification of shown) notification.emit('reply', { reply: 'Yes' })
        expect(first.takeAnswers()).toMatchObject([{ owner }, { owner }])
      }
      const args = shown.map(
        ({ options }) => /type=reply&amp;(about=[^"]*)/.exec(options.toastXml ?? '')?.[1],
      )
      for (const identifier of platform === 'win32' ? args : shown.map(({ id }) => id)) {
        FakeNotification.history =
          platform === 'darwin' ? [new FakeNotification({ id: identifier ?? '' })] : []
        const { system, takeAnswers } = notificationsWith({ platform })
        system.memberSignedIn()
        await new Promise<void>((resolve) => setImmediate(resolve))
        if (platform === 'darwin') FakeNotification.history[0]?.emit('reply', { reply: 'Yes' })
        else FakeNotification.activate?.({ type: 'reply', arguments: identifier ?? '', reply: 'Yes' })
        expect(takeAnswers()).toMatchObject([{ reply: 'Yes', owner }])
      }
      for (const about of ['m1', 'm1@2026-11-28T12:00:00Z', 'm1@@nobody'])
        expect(parseActivation(`${CONVERSATION}#${about}`)).not.toHaveProperty('owner')
    },
  )

  test('an answer of another member’s notification does not stand for the own one of the same message', () => {
    const { takeAnswers } = notificationsWith({ platform: 'win32' })
    for (const owner of ['0', '1'].map((digit) => digit.repeat(32)))
      FakeNotification.activate?.({
        type: 'reply',
        arguments: `about=${encodeURIComponent(`${CONVERSATION}#m1@@${owner}`)}`,
        reply: owner,
      })
    expect(takeAnswers()).toMatchObject([{ owner: '0'.repeat(32) }, { owner: '1'.repeat(32) }])
  })

  test('Linux and notices other than messages offer neither', async () => {
    const linux = notificationsWith({ platform: 'linux' })
    linux.show(messageNotice('m1'))
    await linux.clock.advance(700)
    const mac = notificationsWith({ platform: 'darwin' })
    mac.show(like('l1'))
    await mac.clock.advance(700)
    for (const { options } of FakeNotification.shown) {
      expect(options).not.toHaveProperty('hasReply')
      expect(options).not.toHaveProperty('actions')
    }
  })

  test('signing out discards answers, and at most 100 are queued', () => {
    const { dismiss, takeAnswers } = notificationsWith({ platform: 'win32' })
    const act = (id: string) =>
      FakeNotification.activate?.({
        type: 'action',
        arguments: `about=${encodeURIComponent(`${CONVERSATION}#${id}`)}`,
      })
    for (let id = 0; id < 120; id++) act(`n${id}`)
    expect(takeAnswers()).toHaveLength(100)
    act('later')
    dismiss(null)
    expect(takeAnswers()).toEqual([])
  })
})

test('DESK-10 only logs a notification that cannot be removed', async () => {
  const { clock, show, dismiss, log } = notificationsWith()
  show(messageNotice('m1'))
  await clock.advance(700)
  const [notification] = FakeNotification.shown
  if (notification !== undefined)
    notification.close = () => {
      throw new Error('gone')
    }
  dismiss(['m1'])
  expect(log.lines.join()).toContain('warn could not remove the notification: Error: gone')
})

test.each(['win32', 'darwin', 'linux'] as const)(
  'DESK-17 %s shows neither name, text nor picture, and reply and click still reach the conversation',
  async (platform) => {
    const { clock, show, opened, takeAnswers, written } = notificationsWith({ platform, shows: 'nothing' })
    show({ ...messageNotice(NOTICE_ID), body: 'the text', icon: 'data:image/png;base64,AA==' })
    await clock.advance(700)
    const [notification] = FakeNotification.shown
    // Encoded ids are not shown.
    const { id: _, groupId: __, ...visible } = notification?.options ?? { id: '', groupId: '' }
    const shown = JSON.stringify(visible)
    expect(shown).toContain('New message')
    for (const secret of ['mara', 'the text', 'base64']) expect(shown).not.toContain(secret)
    expect(written).toEqual([])
    if (platform === 'darwin') notification?.emit('reply', { reply: 'Yes' })
    else notification?.emit('click', {})
    if (platform === 'win32') {
      const about = encodeURIComponent(`${CONVERSATION}#${NOTICE_ID}`)
      FakeNotification.activate?.({ type: 'reply', arguments: `type=reply&about=${about}`, reply: 'Yes' })
    }
    const isAnswered = platform !== 'linux'
    expect(takeAnswers()).toEqual(
      isAnswered ? [{ conversationId: CONVERSATION_ID, reply: 'Yes', until: null, owner: null }] : [],
    )
    expect(opened).toEqual(platform === 'darwin' ? [] : [parseRoute(CONVERSATION)])
  },
)

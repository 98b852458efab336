import { describe, expect, test } from 'vitest'
import { groupKey, summarize } from '#/main/notifications/notification-policy'
import type { Notice, NoticeKind } from '#/shared/bridge'
import { type NoticeContext, shouldShowNotice } from '#/shared/notice-filter'
import { contentToShow, redactNotice } from '#/shared/notice-privacy'
import { DEFAULT_PREFERENCES, type NotificationTopic } from '#/shared/preferences'
import { parseRoute } from '#/shared/routes'

const POST = '/?post=0193a6f2-5a51-7b7c-8d5f-0a5f3c1e9b10'
const OTHER_POST = '/?post=0193a6f2-5a51-7b7c-8d5f-0a5f3c1e9b11'
const CONVERSATION = '/messages?c=0193a6f2-5a51-7b7c-8d5f-0a5f3c1e9b10'

function notice(kind: NoticeKind, overrides: Partial<Notice> = {}): Notice {
  return { kind, id: 'n1', title: 'mara', body: 'liked your post', route: POST, ...overrides }
}

function contextWith(overrides: Partial<NoticeContext> = {}): NoticeContext {
  return {
    now: 1_000,
    preferences: DEFAULT_PREFERENCES,
    window: { isVisible: true, isFocused: false },
    inView: null,
    ...overrides,
  }
}

describe('DESK-03 which notices are shown', () => {
  test('shows a message or a like while the app is not in front', () => {
    expect(shouldShowNotice(notice('message'), contextWith())).toBe(true)
    expect(
      shouldShowNotice(notice('like'), contextWith({ window: { isVisible: false, isFocused: false } })),
    ).toBe(true)
  })

  test('hides only the notice whose route is visible in the focused window', () => {
    const inFront = { isVisible: true, isFocused: true }
    const message = notice('message', { route: CONVERSATION })
    expect(
      shouldShowNotice(message, contextWith({ window: inFront, inView: parseRoute(CONVERSATION) })),
    ).toBe(false)
    expect(shouldShowNotice(message, contextWith({ window: inFront, inView: parseRoute(POST) }))).toBe(true)
    expect(shouldShowNotice(message, contextWith({ window: inFront, inView: null }))).toBe(true)
    expect(shouldShowNotice(message, contextWith({ inView: parseRoute(CONVERSATION) }))).toBe(true)
  })

  test('FEED-15 hides the notice of a comment while its post is visible', () => {
    const inFront = { isVisible: true, isFocused: true }
    const id = '0193a6f2-5a51-7b7c-8d5f-00000000000c'
    const comment = notice('comment', { route: `${POST}&comment=${id}` })
    expect(shouldShowNotice(comment, contextWith({ window: inFront, inView: parseRoute(POST) }))).toBe(false)
    expect(
      shouldShowNotice(comment, contextWith({ window: inFront, inView: parseRoute(CONVERSATION) })),
    ).toBe(true)
  })

  test.each<[NoticeKind, NotificationTopic]>([
    ['message', 'messages'],
    ['like', 'likes'],
    ['story_view', 'likes'],
    ['comment', 'comments'],
    ['mention', 'comments'],
    ['reply', 'comments'],
    ['comment_like', 'likes'],
    ['follow', 'follows'],
    ['request', 'follows'],
    ['accepted', 'follows'],
  ])('SET-06 shows %s only if %s is on', (kind, topic) => {
    const off = { messages: false, likes: false, comments: false, follows: false }
    const only = { ...DEFAULT_PREFERENCES, notifications: { ...off, [topic]: true } }
    const without = {
      ...DEFAULT_PREFERENCES,
      notifications: { ...DEFAULT_PREFERENCES.notifications, [topic]: false },
    }
    expect(shouldShowNotice(notice(kind), contextWith({ preferences: only }))).toBe(true)
    expect(shouldShowNotice(notice(kind), contextWith({ preferences: without }))).toBe(false)
  })

  test('SET-06 shows nothing during a pause, everything after it', () => {
    const preferences = { ...DEFAULT_PREFERENCES, notificationsPausedUntil: 2_000 }
    expect(shouldShowNotice(notice('like'), contextWith({ preferences, now: 1_999 }))).toBe(false)
    expect(shouldShowNotice(notice('like'), contextWith({ preferences, now: 2_000 }))).toBe(true)
  })
})

describe('DESK-03 bursts', () => {
  test('keeps a single notice unchanged', () => {
    expect(summarize([notice('like')], 'text')).toEqual({
      title: 'mara',
      body: 'liked your post',
      route: parseRoute(POST),
    })
  })

  test('combines several likes into a count, which opens the post only if all are for the same one', () => {
    const likes = [notice('like'), notice('like', { id: 'n2' }), notice('like', { id: 'n3' })] as const
    expect(summarize([...likes], 'text')).toMatchObject({ title: '3 new likes', route: parseRoute(POST) })
    expect(summarize([...likes, notice('like', { id: 'n4', route: OTHER_POST })], 'text')).toMatchObject({
      title: '4 new likes',
      route: { page: 'home' },
    })
  })

  test('keeps the sender for several messages of one conversation', () => {
    const first = notice('message', { route: CONVERSATION, body: 'Hello' })
    const second = notice('message', { id: 'n2', route: CONVERSATION, body: 'Are you there?' })
    expect(summarize([first, second], 'text')).toEqual({
      title: 'mara',
      body: '2 new messages',
      route: parseRoute(CONVERSATION),
    })
  })

  test('does not combine different conversations or different kinds', () => {
    const one = notice('message', { route: CONVERSATION })
    const other = notice('message', { route: CONVERSATION.replace(/0$/, '1') })
    expect(groupKey(one)).not.toBe(groupKey(other))
    expect(groupKey(notice('like'))).toBe(groupKey(notice('like', { route: OTHER_POST })))
    expect(groupKey(notice('like'))).not.toBe(groupKey(notice('comment')))
  })
})

describe('DESK-17 what notifications show', () => {
  const KINDS: NoticeKind[] = [
    'message',
    'like',
    'comment',
    'mention',
    'reply',
    'comment_like',
    'follow',
    'request',
    'accepted',
    'story_view',
  ]
  const secret = { title: 'mara', body: 'the text', icon: 'data:image/png;base64,AA==' }

  test.each([
    ['text', false, false, 'text'],
    ['text', false, true, 'name'],
    ['text', true, true, 'text'],
    ['name', true, true, 'name'],
    ['nothing', true, true, 'nothing'],
    ['nothing', false, false, 'nothing'],
  ] as const)(
    '%s, text on a locked screen %s, locked %s: %s',
    (notificationContent, textOnLockScreen, isLocked, shown) => {
      expect(contentToShow({ notificationContent, textOnLockScreen }, isLocked)).toBe(shown)
    },
  )

  test.each(KINDS)('%s: the name without the text, or neither', (kind) => {
    const full = notice(kind, secret)
    expect(redactNotice(full, 'text')).toEqual(full)
    const { title, body, icon } = redactNotice(full, 'name')
    expect([title, icon]).toEqual(['mara', secret.icon])
    expect(body).toMatch(/^(New|Follow request accepted)/)
    expect(redactNotice(full, 'nothing')).toEqual({
      ...full,
      title: kind === 'message' ? 'New message' : 'New notification',
      body: '',
      icon: undefined,
    })
  })

  test.each(KINDS)('%s: a burst shows no more than one of them', (kind) => {
    const burst = ['mara', 'ana', 'mara'].map((title, index) =>
      notice(kind, { ...secret, title, id: String(index), route: kind === 'message' ? CONVERSATION : POST }),
    ) as [Notice, Notice, Notice]
    const named = summarize(burst, 'name')
    expect(`${named.title} ${named.body}`).not.toContain('the text')
    expect(`${named.title} ${named.body}`).toContain('mara')
    const hidden = summarize(burst, 'nothing')
    expect(`${hidden.title} ${hidden.body}`).toBe(
      kind === 'message' ? '3 new messages ' : '3 new notifications ',
    )
    expect(hidden.route).toEqual(summarize(burst, 'text').route)
  })
})

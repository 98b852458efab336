import { describe, expect, test } from 'vitest'
import {
  INITIAL_SCROLL,
  type ScrollEvent,
  type ScrollState,
  type ShownRows,
  scrollReducer,
} from '#/renderer/features/messages/model/scroll'
import { buildTimeline } from '#/renderer/features/messages/model/timeline'
import { ME, message } from '../messages'

const TO_END = { to: 'end' }
const messages = ['a', 'b', 'c', 'd'].map((id, minute) => message(id, minute))

/** A render of these messages, all of them visible unless stated otherwise. */
function rendered(changes: Partial<ShownRows> = {}, unreadId: string | null = null): ScrollEvent {
  const shown = changes.messages ?? messages
  const rows = buildTimeline({
    me: ME,
    messages: shown,
    outgoing: [],
    divider: { beforeId: unreadId, untilId: null, isMore: false },
    hasOlder: true,
    isOtherTyping: false,
    deliveredAt: null,
  })
  return {
    type: 'rendered',
    messages: shown,
    mark: { mark_at: null, mark_id: null },
    rows,
    visibleCount: rows.length,
    isFresh: false,
    soughtId: null,
    canFind: true,
    hasNewer: false,
    pendingId: undefined,
    ...changes,
  }
}

function scrollAfter(...events: ScrollEvent[]): ScrollState {
  return events.reduce(scrollReducer, INITIAL_SCROLL)
}

const scrolledUp: ScrollEvent = { type: 'scrolled', movedBy: -300, toEnd: 300 }
const settledAbove: ScrollEvent = { type: 'settled', toEnd: 400 }

describe('MSG-12 the scroll position when a conversation opens', () => {
  test('is the end without unread messages', () => {
    expect(scrollAfter(rendered())).toMatchObject({
      hold: 'end',
      jump: TO_END,
      opened: 'cached',
      seenId: 'd',
    })
  })

  test('is the unread divider, and messages below it are unseen until the jump has settled', () => {
    const opened = scrollAfter(rendered({}, 'c'))
    expect(opened).toMatchObject({
      hold: 'opening',
      jump: { to: 'row', key: 'divider', align: 'start' },
      seenId: 'b',
    })
    expect(scrollReducer(opened, rendered({}, 'c'))).toBe(opened)
    const settled = scrollReducer(opened, settledAbove)
    expect(settled.hold).toBe('free')
    expect(scrollReducer(settled, rendered({}, 'c')).seenId).toBe('d')
  })

  test('MSG-14 is the message that the address names, as soon as it is loaded, else the end', () => {
    const named = (id: string): ScrollEvent => ({ type: 'show message', id })
    const jump = { to: 'row', key: 'b', align: 'center' }
    const shown = scrollAfter(named('b'), rendered({}, 'c'))
    expect(shown).toMatchObject({ hold: 'finding', jump, highlightedId: 'b', wantedId: null, seenId: 'd' })
    expect(scrollReducer(shown, rendered({ isFresh: true }, 'c'))).toMatchObject({ hold: 'finding', jump })
    expect(scrollReducer(shown, settledAbove).hold).toBe('free')
    const waiting = scrollAfter(named('x'), rendered())
    expect(waiting).toMatchObject({ wantedId: 'x', jump: null })
    expect(scrollReducer(waiting, rendered({ soughtId: 'x', canFind: false }))).toMatchObject({
      wantedId: null,
      hold: 'end',
      jump: TO_END,
    })
  })

  test('is updated when the messages were fetched, unless the member has scrolled', () => {
    const fetched = rendered({ isFresh: true }, 'c')
    expect(scrollAfter(rendered(), fetched)).toMatchObject({ hold: 'opening', opened: 'fetched' })
    const scrolled = scrollAfter(rendered(), scrolledUp)
    expect(scrollReducer(scrolled, fetched)).toEqual({ ...scrolled, opened: 'fetched' })
  })

  test('does not change while rows are measured on the way to the divider', () => {
    const opened = scrollAfter(rendered({}, 'c'))
    expect(scrollReducer(opened, scrolledUp)).toBe(opened)
  })
})

describe('MSG-12 the end of a conversation', () => {
  test('is left by scrolling up, and held again near it', () => {
    const free = scrollAfter(rendered(), scrolledUp)
    expect(free.hold).toBe('free')
    expect(scrollReducer(free, { type: 'scrolled', movedBy: 100, toEnd: 61 })).toBe(free)
    expect(scrollReducer(free, { type: 'scrolled', movedBy: 100, toEnd: 60 }).hold).toBe('end')
  })

  test('is still held after the list moved up by itself', () => {
    const pinned = scrollAfter(rendered())
    expect(scrollReducer(pinned, { type: 'scrolled', movedBy: -20, toEnd: 4 })).toBe(pinned)
    expect(scrollReducer(pinned, { type: 'scrolled', movedBy: 0, toEnd: 200 })).toBe(pinned)
  })

  test('is held after a jump that settled near it', () => {
    expect(scrollAfter(rendered({}, 'c'), { type: 'settled', toEnd: 60 }).hold).toBe('end')
  })

  test('is shown on request and after each own message', () => {
    const free = scrollAfter(rendered(), scrolledUp)
    expect(scrollReducer(free, { type: 'go to end' })).toMatchObject({ hold: 'end', jump: TO_END })
    const sent = scrollReducer(free, rendered({ pendingId: 'p' }))
    expect(sent).toMatchObject({ hold: 'end', jump: TO_END })
    expect(scrollReducer(sent, rendered({ pendingId: 'q' })).jump).not.toBe(sent.jump)
    const up = scrollReducer(sent, scrolledUp)
    expect(scrollReducer(up, rendered())).toMatchObject({ hold: 'free', pendingId: undefined })
  })

  test('MSG-03 a message that is unfolded at the end keeps its place, until the member scrolls to the end', () => {
    const unfolded = scrollReducer(scrollAfter(rendered()), { type: 'unfold' })
    expect(unfolded.hold).toBe('free')
    expect(scrollReducer(unfolded, { type: 'scrolled', movedBy: 0, toEnd: 900 }).hold).toBe('free')
    expect(scrollReducer(unfolded, { type: 'scrolled', movedBy: 900, toEnd: 0 }).hold).toBe('end')
  })
})

describe('MSG-11 a quoted message', () => {
  test('is scrolled to and highlighted', () => {
    const shown = scrollAfter(rendered(), { type: 'show message', id: 'b' }, rendered())
    expect(shown).toMatchObject({
      jump: { to: 'row', key: 'b', align: 'center' },
      wantedId: null,
      highlightedId: 'b',
    })
    const again = scrollReducer(shown, { type: 'show message', id: 'b' })
    expect(again.highlightedId, 'so that the highlight starts again').toBeNull()
    expect(scrollReducer(again, rendered()).jump).not.toBe(shown.jump)
  })

  test('is wanted until what surrounds it is loaded', () => {
    const wanted = scrollAfter(rendered(), { type: 'show message', id: 'old' }, rendered())
    expect(wanted.wantedId).toBe('old')
    const found = scrollReducer(wanted, rendered({ messages: [message('old', -9), ...messages] }))
    expect(found).toMatchObject({ wantedId: null, highlightedId: 'old' })
  })

  test('is dropped when it cannot be found', () => {
    const wanted = scrollAfter(rendered(), { type: 'show message', id: 'gone' })
    const { jump } = wanted
    expect(scrollReducer(wanted, rendered({ soughtId: 'gone', canFind: false }))).toMatchObject({
      wantedId: null,
      highlightedId: null,
      jump,
    })
  })
})

test('MSG-12 messages below the visible ones are unseen, and seen ones stay seen', () => {
  const free = scrollAfter(rendered(), scrolledUp)
  const received = [...messages, message('e', 9)]
  const hidden = scrollReducer(free, rendered({ messages: received, visibleCount: 2 }))
  expect(hidden.seenId).toBe('d')
  expect(scrollReducer(hidden, rendered({ messages: received })).seenId).toBe('e')
})

describe('MSG-14 a stretch further up', () => {
  const above = { messages: [message('old', -9)], hasNewer: true }

  test('has no end to stay at, and counts no messages as new', () => {
    const shown = scrollAfter(rendered(), { type: 'show message', id: 'old' }, rendered(above))
    expect(shown).toMatchObject({ hold: 'finding', highlightedId: 'old', seenId: 'd' })
    const settled = scrollReducer(shown, { type: 'settled', toEnd: 0 })
    expect(settled.hold).toBe('free')
    expect(scrollReducer(settled, { type: 'scrolled', movedBy: 200, toEnd: 0 }).hold).toBe('free')
  })

  test('is left for the end, and stays in place when it has reached the newest messages', () => {
    const shown = scrollAfter(rendered(), rendered(above))
    expect(scrollReducer(shown, rendered())).toMatchObject({
      hold: 'free',
      jump: shown.jump,
      hasNewer: false,
    })
    const left = scrollReducer(shown, { type: 'go to end' })
    const back = scrollReducer(left, rendered())
    expect(back).toMatchObject({ hold: 'end', jump: TO_END, hasNewer: false })
    expect(back.jump, 'a jump among the newest messages').not.toBe(left.jump)
  })

  test('is not given up in the render before it is looked for', () => {
    const wanted = scrollAfter(rendered(), { type: 'show message', id: 'old' })
    expect(scrollReducer(wanted, rendered({ canFind: false })).wantedId).toBe('old')
  })
})

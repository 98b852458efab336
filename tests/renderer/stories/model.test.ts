import { describe, expect, test } from 'vitest'
import {
  firstToWatch,
  keepOrder,
  type OrderedStory,
  orderStrip,
  storiesToPlay,
} from '#/renderer/features/stories/model'

const NOW = Date.parse('2026-03-01T12:00:00Z')
const HOUR = 3_600_000

/** `ada@5*`: Ada's, five hours old, seen. */
function story(text: string): OrderedStory {
  const [, user_id = '', hours = '', seen] = /^(\w+)@([\d.]+)(\*?)$/.exec(text) ?? []
  const at = NOW - Number(hours) * HOUR
  return {
    id: text.replace('*', ''),
    user_id,
    created_at: new Date(at).toISOString(),
    expires_at: new Date(at + 24 * HOUR).toISOString(),
    isSeen: seen === '*',
  }
}

function strip(stories: string[], muted: string[] = []): string[] {
  return orderStrip(stories.map(story), { me: 'me', muted: new Set(muted), now: NOW }).map(
    (group) =>
      `${group.memberId}:${group.stories.map(({ id }) => id.split('@')[1]).join()}${group.isSeen ? '*' : ''}`,
  )
}

describe('STORY-02 STORY-07 the order of the strip', () => {
  test('unseen members first, then seen ones, each by their newest story', () => {
    expect(strip(['ada@1*', 'ben@2', 'cleo@3*', 'dan@4'])).toEqual(['ben:2', 'dan:4', 'ada:1*', 'cleo:3*'])
  })

  test('a member is seen when all of their stories are', () => {
    expect(strip(['ada@1', 'ada@2*', 'ben@0.5*'])).toEqual(['ada:2,1', 'ben:0.5*'])
  })

  test('the member’s own stories come first, seen or not', () => {
    expect(strip(['ada@1', 'me@20'])).toEqual(['me:20', 'ada:1'])
  })

  test('expired stories and muted members are left out', () => {
    expect(strip(['ada@23.9', 'ben@24', 'ben@1', 'cleo@1'], ['cleo'])).toEqual(['ben:1', 'ada:23.9'])
  })

  test('stories of the same millisecond are ordered by id', () => {
    const twins = ['b', 'a', 'c'].map((id) => ({ ...story('ada@1'), id }))
    for (const input of [twins, twins.toReversed()]) {
      const [group] = orderStrip(input, { me: 'me', muted: new Set(), now: NOW })
      expect(group?.stories.map(({ id }) => id)).toEqual(['a', 'b', 'c'])
    }
  })
})

describe('STORY-12 the strip on screen', () => {
  const groups = (stories: string[]) =>
    orderStrip(stories.map(story), { me: 'me', muted: new Set(), now: NOW })
  const then = (before: string[], after: string[]) =>
    keepOrder(groups(after), groups(before)).map(({ memberId }) => memberId)

  test.each<[string, string[], string[], string[]]>([
    ['a watched member stays', ['ada@1', 'ben@2'], ['ada@1*', 'ben@2'], ['ada', 'ben']],
    ['all watched stay', ['ada@1', 'ben@2', 'cyd@3'], ['ada@1*', 'ben@2*', 'cyd@3'], ['ada', 'ben', 'cyd']],
    ['the own story is first', ['ada@1'], ['ada@1*', 'me@2'], ['me', 'ada']],
    ['a new story comes first', ['ada@2', 'ben@3*'], ['ada@2*', 'ben@3*', 'ben@1'], ['ben', 'ada']],
    ['a new member comes first', ['me@9', 'ada@2'], ['me@9', 'ada@2', 'cyd@1'], ['me', 'cyd', 'ada']],
    [
      'older members of a later page follow',
      ['ada@1', 'ben@2'],
      ['ada@1', 'ben@2', 'cyd@3', 'dan@4*'],
      ['ada', 'ben', 'cyd', 'dan'],
    ],
    ['an expired member leaves', ['ada@23.9', 'ben@2'], ['ada@24.1', 'ben@2'], ['ben']],
  ])('%s', (_, before, after, expected) => {
    expect(then(before, after)).toEqual(expected)
  })
})

test('STORY-07 a bubble opens the first unseen story, or the first one', () => {
  const first = (stories: string[]) => {
    const [group] = orderStrip(stories.map(story), { me: 'me', muted: new Set(), now: NOW })
    return group && firstToWatch(group).id
  }
  expect(first(['ada@3*', 'ada@2', 'ada@1'])).toBe('ada@2')
  expect(first(['ada@3*', 'ada@2*'])).toBe('ada@3')
  expect(first(['ada@3', 'ada@2*'])).toBe('ada@3')
})

describe('the stories that play after one is opened', () => {
  const known = ['ada@2', 'ada@1', 'ben@3', 'cleo@4'].map(story)
  const play = (opened: OrderedStory | null, members: string[]) => {
    const result = storiesToPlay(opened, { members, known, me: 'me', now: NOW })
    return result.state === 'ready' ? result.groups.map(({ stories }) => stories.map(({ id }) => id)) : result
  }

  test('are those of the strip’s members, in the strip’s order', () => {
    expect(play(story('ben@3'), ['cleo', 'ben', 'dan'])).toEqual([['cleo@4'], ['ben@3']])
  })

  test('are its member’s alone when it was opened by URL', () => {
    expect(play(story('ada@1'), [])).toEqual([['ada@2', 'ada@1']])
    expect(play(story('dan@1'), ['ada'])).toEqual([['dan@1']])
  })

  test('are none for a deleted or expired story', () => {
    expect(play(null, ['ada'])).toEqual({ state: 'gone' })
    expect(play(story('ada@24'), ['ada'])).toEqual({ state: 'expired' })
  })
})

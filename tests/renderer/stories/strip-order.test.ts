import { describe, expect, test } from 'vitest'
import { firstToWatch, type OrderedStory, orderStrip } from '#/renderer/features/stories/strip/strip-order'

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
  test('one bubble a member, their stories oldest first', () => {
    expect(strip(['ada@1', 'ben@2', 'ada@3', 'ada@2'])).toEqual(['ada:3,2,1', 'ben:2'])
  })

  test('unseen first, then seen, each by its newest story', () => {
    expect(strip(['ada@1*', 'ben@2', 'cleo@3*', 'dan@4'])).toEqual(['ben:2', 'dan:4', 'ada:1*', 'cleo:3*'])
  })

  test('a member is seen once all of their stories are', () => {
    expect(strip(['ada@1', 'ada@2*', 'ben@0.5*'])).toEqual(['ada:2,1', 'ben:0.5*'])
  })

  test('one’s own come first, seen or not', () => {
    expect(strip(['ada@1', 'me@20'])).toEqual(['me:20', 'ada:1'])
  })

  test('what has expired meanwhile and who is muted are left out', () => {
    expect(strip(['ada@23.9', 'ben@24', 'ben@1', 'cleo@1'], ['cleo'])).toEqual(['ben:1', 'ada:23.9'])
  })

  test('stories of one moment always stand in the same order', () => {
    const twins = ['b', 'a', 'c'].map((id) => ({ ...story('ada@1'), id }))
    for (const given of [twins, twins.toReversed()]) {
      const [group] = orderStrip(given, { me: 'me', muted: new Set(), now: NOW })
      expect(group?.stories.map(({ id }) => id)).toEqual(['a', 'b', 'c'])
    }
  })
})

test('STORY-07 a bubble opens the first story that was not seen, or the first', () => {
  const first = (stories: string[]) => {
    const [group] = orderStrip(stories.map(story), { me: 'me', muted: new Set(), now: NOW })
    return group && firstToWatch(group).id
  }
  expect(first(['ada@3*', 'ada@2', 'ada@1'])).toBe('ada@2')
  expect(first(['ada@3*', 'ada@2*'])).toBe('ada@3')
  expect(first(['ada@3', 'ada@2*'])).toBe('ada@3')
})

import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  currentStory,
  followingMember,
  type Hold,
  isHeld,
  neighbourMember,
  type Playback,
  type PlaybackEvent,
  type PlayedStory,
  playbackReducer,
  progressOf,
  type StoryKind,
  startPlayback,
} from '#/renderer/features/stories/playback'
import { STORY } from '#/shared/limits'

/** `ada1` is Ada's first story; `*` marks it as seen, `v` as a video. */
function story(name: string): PlayedStory {
  return {
    id: name.replace(/[*v]/g, ''),
    memberId: name.replace(/\d.*/, ''),
    kind: name.includes('v') ? 'video' : 'image',
    wasSeen: name.endsWith('*'),
  }
}

/** A viewer with a ticking timer; `pass(ms)` advances the clock. */
function open(names: string[], at = names[0] ?? '', playsOn = false) {
  let playback = startPlayback(names.map(story), story(at).id, playsOn)
  const send = (event: PlaybackEvent) => {
    playback = playbackReducer(playback, event)
  }
  const timer = setInterval(() => send({ type: 'tick' }), STORY.tickMs)
  return {
    get state(): Playback {
      return playback
    },
    get id() {
      return currentStory(playback)?.id
    },
    get percent() {
      return progressOf(playback) * 100
    },
    send,
    tap: (side: 'left' | 'right') => send({ type: 'tap', side }),
    load: (isReady = true) => send({ type: 'media', id: currentStory(playback)?.id ?? '', isReady }),
    pass: (ms: number) => vi.advanceTimersByTime(ms),
    close: () => clearInterval(timer),
  }
}

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

describe('STORY-03 progress', () => {
  test.each<[StoryKind, number]>([
    ['image', 5_000],
    ['video', 15_000],
  ])('of %s reaches 100 percent after exactly %i ms, and then playback is over', (kind, ms) => {
    const viewer = open([kind === 'video' ? 'ada1v' : 'ada1'])
    viewer.load()
    viewer.pass(99)
    expect(viewer.percent).toBe(0)
    viewer.pass(1)
    expect(viewer.percent).toBeCloseTo((100 / ms) * 100, 10)
    viewer.pass(ms / 2 - 100)
    expect(viewer.percent).toBe(50)
    viewer.pass(ms / 2 - 1)
    expect(viewer.state.isOver).toBe(false)
    expect(viewer.percent).toBeLessThan(100)
    viewer.pass(1)
    expect(viewer.state.isOver).toBe(true)
    expect(viewer.percent).toBe(100)
  })

  test('waits until the media are loaded, and while a video stalls', () => {
    const viewer = open(['ada1v'])
    viewer.pass(3_000)
    expect(viewer.percent).toBe(0)
    viewer.load()
    viewer.pass(3_000)
    expect(viewer.percent).toBe(20)
    viewer.load(false)
    viewer.pass(60_000)
    expect(viewer.percent).toBe(20)
    viewer.load()
    viewer.pass(12_000)
    expect(viewer.state.isOver).toBe(true)
  })

  test('of the next story ignores media events of the previous story', () => {
    const viewer = open(['ada1', 'ada2'])
    viewer.load()
    viewer.send({ type: 'step', to: 'next' })
    viewer.send({ type: 'media', id: 'ada1', isReady: true })
    viewer.pass(1_000)
    expect([viewer.id, viewer.percent]).toEqual(['ada2', 0])
  })

  test.each<Hold>(['pressed', 'paused', 'reply', 'reading', 'covered', 'hidden'])('stops while %s', (by) => {
    const viewer = open(['ada1'])
    viewer.load()
    viewer.pass(1_000)
    viewer.send({ type: 'hold', by })
    viewer.send({ type: 'hold', by })
    viewer.pass(60_000)
    expect(viewer.percent).toBe(20)
    viewer.send({ type: 'release', by })
    viewer.pass(1_000)
    expect(viewer.percent).toBe(40)
  })

  test('continues when the last hold is released', () => {
    const viewer = open(['ada1'])
    viewer.load()
    viewer.send({ type: 'hold', by: 'reply' })
    viewer.send({ type: 'hold', by: 'hidden' })
    viewer.send({ type: 'release', by: 'hidden' })
    viewer.pass(1_000)
    expect(viewer.percent).toBe(0)
    viewer.send({ type: 'release', by: 'reply' })
    viewer.pass(1_000)
    expect(viewer.percent).toBe(20)
  })

  test('at 100 percent shows the member’s next story; playback is over after their last one', () => {
    const viewer = open(['ada1', 'ada2v', 'ben1'])
    viewer.load()
    viewer.pass(5_000)
    expect([viewer.id, viewer.percent, viewer.state.isReady]).toEqual(['ada2', 0, false])
    viewer.load()
    viewer.pass(15_000)
    expect(viewer.state.isOver).toBe(true)
  })

  test('ignores events after the end', () => {
    const viewer = open(['ada1', 'ben1'])
    viewer.load()
    viewer.pass(5_000)
    const over = viewer.state
    viewer.tap('left')
    viewer.send({ type: 'step', to: 'next' })
    viewer.pass(1_000)
    expect(viewer.state).toBe(over)
  })

  test('is over if the opened story is not in the list', () => {
    expect(open(['ada1'], 'ben1').state.isOver).toBe(true)
  })
})

describe('STORY-04 taps', () => {
  test.each(['ada1', 'ada1v'])(
    'of %s: the right half adds 20 percent, the left half subtracts 20',
    (name) => {
      const viewer = open([name])
      viewer.tap('right')
      viewer.tap('right')
      viewer.tap('right')
      expect(viewer.percent).toBe(60)
      viewer.tap('left')
      expect(viewer.percent).toBe(40)
    },
  )

  test('never go below 0', () => {
    const viewer = open(['ada1'])
    viewer.load()
    viewer.pass(500)
    viewer.tap('left')
    expect(viewer.percent).toBe(0)
    viewer.tap('left')
    expect(viewer.percent).toBe(0)
    viewer.pass(1_000)
    expect(viewer.percent).toBe(20)
  })

  test('at 100 percent show the member’s next story, or close', () => {
    const viewer = open(['ada1', 'ada2', 'ben1'])
    for (let taps = 0; taps < 5; taps += 1) viewer.tap('right')
    expect([viewer.id, viewer.percent]).toEqual(['ada2', 0])
    viewer.load()
    viewer.pass(4_100)
    viewer.tap('right')
    expect(viewer.state.isOver).toBe(true)
  })
})

describe('step and step-member', () => {
  test('lead to the next story, then to the next member, then to the end', () => {
    const viewer = open(['ada1', 'ada2', 'ben1'])
    viewer.send({ type: 'step', to: 'next' })
    expect(viewer.id).toBe('ada2')
    viewer.send({ type: 'step', to: 'next' })
    expect(viewer.id).toBe('ben1')
    viewer.send({ type: 'step', to: 'previous' })
    expect(viewer.id).toBe('ada2')
    viewer.send({ type: 'step', to: 'next' })
    viewer.send({ type: 'step', to: 'next' })
    expect(viewer.state.isOver).toBe(true)
  })

  test('back from the first story restart it', () => {
    const viewer = open(['ada1', 'ada2'])
    viewer.load()
    viewer.pass(2_000)
    viewer.send({ type: 'step', to: 'previous' })
    expect([viewer.id, viewer.percent, viewer.state.isReady]).toEqual(['ada1', 0, true])
  })

  test('lead to a member’s first unseen story', () => {
    const viewer = open(['ada1', 'ada2', 'ben1*', 'ben2', 'ben3', 'cleo1*', 'cleo2*'])
    viewer.send({ type: 'step-member', to: 'next' })
    expect(viewer.id).toBe('ben2')
    viewer.send({ type: 'step-member', to: 'next' })
    expect(viewer.id).toBe('cleo1')
    viewer.send({ type: 'step-member', to: 'previous' })
    expect(viewer.id).toBe('ben2')
    viewer.send({ type: 'step-member', to: 'next' })
    viewer.send({ type: 'step-member', to: 'next' })
    expect(viewer.state.isOver).toBe(true)
  })

  test('neighbourMember returns the first story to show of the next and previous member', () => {
    const viewer = open(['ada1*', 'ada2', 'ben1', 'cleo1*', 'cleo2'], 'ben1')
    const around = () =>
      (['previous', 'next'] as const).map((to) => neighbourMember(viewer.state, to)?.id ?? null)
    expect(around()).toEqual(['ada2', 'cleo2'])
    viewer.send({ type: 'step-member', to: 'next' })
    expect(around()).toEqual(['ben1', null])
    viewer.send({ type: 'step-member', to: 'previous' })
    viewer.send({ type: 'step-member', to: 'previous' })
    expect(around()).toEqual([null, 'ben1'])
  })

  test('back from the first member lead to the first story', () => {
    const viewer = open(['ada1', 'ada2'], 'ada2')
    viewer.send({ type: 'step-member', to: 'previous' })
    expect(viewer.id).toBe('ada1')
  })

  test('release the pause and the caption, but not the reply', () => {
    const viewer = open(['ada1', 'ada2'])
    viewer.send({ type: 'hold', by: 'paused' })
    viewer.send({ type: 'step', to: 'next' })
    expect(isHeld(viewer.state)).toBe(false)
    viewer.send({ type: 'hold', by: 'reading' })
    viewer.send({ type: 'step', to: 'previous' })
    expect(isHeld(viewer.state)).toBe(false)
    viewer.send({ type: 'hold', by: 'reply' })
    viewer.send({ type: 'step', to: 'next' })
    expect(isHeld(viewer.state)).toBe(true)
  })
})

describe('STORY-09 removing a story', () => {
  test('shows the member’s next one, or ends playback', () => {
    const viewer = open(['ada1', 'ada2', 'ben1'])
    viewer.load()
    viewer.pass(1_000)
    viewer.send({ type: 'hold', by: 'reading' })
    viewer.send({ type: 'removed', id: 'ada1' })
    expect([viewer.id, viewer.percent]).toEqual(['ada2', 0])
    expect(isHeld(viewer.state)).toBe(false)
    viewer.send({ type: 'removed', id: 'ada2' })
    expect(viewer.state.isOver).toBe(true)
  })

  test('that is not on screen does not affect the one that is', () => {
    const viewer = open(['ada1', 'ada2', 'ben1'], 'ada2')
    viewer.load()
    viewer.pass(1_000)
    viewer.send({ type: 'removed', id: 'ada1' })
    viewer.send({ type: 'removed', id: 'ben1' })
    viewer.send({ type: 'removed', id: 'nobody' })
    expect([viewer.id, viewer.percent]).toEqual(['ada2', 20])
  })
})

describe('STORY-12 playing on', () => {
  test('shows the next member after the last story, from the first unseen one, and ends after the last member', () => {
    const viewer = open(['ada1', 'ada2', 'ben1*', 'ben2', 'cyd1'], 'ada1', true)
    viewer.load()
    expect(followingMember(viewer.state)).toBeUndefined()
    viewer.pass(5_000)
    expect(viewer.id).toBe('ada2')
    expect(followingMember(viewer.state)?.id).toBe('ben2')
    viewer.load()
    viewer.pass(5_000)
    expect(viewer.id).toBe('ben2')
    viewer.load()
    viewer.pass(5_000)
    expect(viewer.id).toBe('cyd1')
    expect(followingMember(viewer.state)).toBeUndefined()
    viewer.load()
    viewer.pass(5_000)
    expect(viewer.state.isOver).toBe(true)
    viewer.close()
  })

  test('goes on to the next member when the last story is removed, and is off by itself', () => {
    const viewer = open(['ada1', 'ben1*', 'ben2'], 'ada1', true)
    viewer.send({ type: 'removed', id: 'ada1' })
    expect(viewer.id).toBe('ben2')
    viewer.close()
    const other = open(['ada1', 'ben1'])
    expect(followingMember(other.state)).toBeUndefined()
    other.load()
    other.pass(5_000)
    expect(other.state.isOver).toBe(true)
    other.close()
  })
})

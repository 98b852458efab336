import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  currentStory,
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
} from '#/renderer/features/stories/viewer/playback'
import { STORY } from '#/shared/limits'

/** `ada1` is Ada's; a `*` after it says that it was seen, a `v` that it is a video. */
function story(name: string): PlayedStory {
  return {
    id: name.replace(/[*v]/g, ''),
    memberId: name.replace(/\d.*/, ''),
    kind: name.includes('v') ? 'video' : 'image',
    wasSeen: name.endsWith('*'),
  }
}

/** A viewer on a clock: `pass(ms)` lets time pass and its timer tick. */
function open(names: string[], at = names[0] ?? '') {
  let playback = startPlayback(names.map(story), story(at).id)
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
    flow: (isFlowing = true) => send({ type: 'flow', id: currentStory(playback)?.id ?? '', isFlowing }),
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
  ])('of %s reaches 100 percent after %i ms, to the tick, and then it is over', (kind, ms) => {
    const viewer = open([kind === 'video' ? 'ada1v' : 'ada1'])
    viewer.flow()
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

  test('waits for the picture, and again whenever a video stalls', () => {
    const viewer = open(['ada1v'])
    viewer.pass(3_000)
    expect(viewer.percent).toBe(0)
    viewer.flow()
    viewer.pass(3_000)
    expect(viewer.percent).toBe(20)
    viewer.flow(false)
    viewer.pass(60_000)
    expect(viewer.percent).toBe(20)
    viewer.flow()
    viewer.pass(12_000)
    expect(viewer.state.isOver).toBe(true)
  })

  test('of the next story does not begin with what the last one says', () => {
    const viewer = open(['ada1', 'ada2'])
    viewer.flow()
    viewer.send({ type: 'step', to: 'next' })
    viewer.send({ type: 'flow', id: 'ada1', isFlowing: true })
    viewer.pass(1_000)
    expect([viewer.id, viewer.percent]).toEqual(['ada2', 0])
  })

  test.each<Hold>(['pressed', 'paused', 'reply', 'reading', 'covered', 'hidden'])(
    'stands still while %s',
    (by) => {
      const viewer = open(['ada1'])
      viewer.flow()
      viewer.pass(1_000)
      viewer.send({ type: 'hold', by })
      viewer.send({ type: 'hold', by })
      viewer.pass(60_000)
      expect(viewer.percent).toBe(20)
      viewer.send({ type: 'release', by })
      viewer.pass(1_000)
      expect(viewer.percent).toBe(40)
    },
  )

  test('goes on only once nothing holds it any more', () => {
    const viewer = open(['ada1'])
    viewer.flow()
    viewer.send({ type: 'hold', by: 'reply' })
    viewer.send({ type: 'hold', by: 'hidden' })
    viewer.send({ type: 'release', by: 'hidden' })
    viewer.pass(1_000)
    expect(viewer.percent).toBe(0)
    viewer.send({ type: 'release', by: 'reply' })
    viewer.pass(1_000)
    expect(viewer.percent).toBe(20)
  })

  test('at 100 percent a member’s next story comes first; after their last one it is over', () => {
    const viewer = open(['ada1', 'ada2v', 'ben1'])
    viewer.flow()
    viewer.pass(5_000)
    expect([viewer.id, viewer.percent, viewer.state.isFlowing]).toEqual(['ada2', 0, false])
    viewer.flow()
    viewer.pass(15_000)
    expect(viewer.state.isOver).toBe(true)
  })

  test('an event after the end changes nothing', () => {
    const viewer = open(['ada1', 'ben1'])
    viewer.flow()
    viewer.pass(5_000)
    const over = viewer.state
    viewer.tap('left')
    viewer.send({ type: 'step', to: 'next' })
    viewer.pass(1_000)
    expect(viewer.state).toBe(over)
  })

  test('a story that is not among them is over before it begins', () => {
    expect(open(['ada1'], 'ben1').state.isOver).toBe(true)
  })
})

describe('STORY-04 taps', () => {
  test.each(['ada1', 'ada1v'])('of %s: the right half adds 20 percent, the left half takes 20', (name) => {
    const viewer = open([name])
    viewer.tap('right')
    viewer.tap('right')
    viewer.tap('right')
    expect(viewer.percent).toBe(60)
    viewer.tap('left')
    expect(viewer.percent).toBe(40)
  })

  test('never go below 0', () => {
    const viewer = open(['ada1'])
    viewer.flow()
    viewer.pass(500)
    viewer.tap('left')
    expect(viewer.percent).toBe(0)
    viewer.tap('left')
    expect(viewer.percent).toBe(0)
    viewer.pass(1_000)
    expect(viewer.percent).toBe(20)
  })

  test('at 100 percent it closes, or shows the member’s next story', () => {
    const viewer = open(['ada1', 'ada2', 'ben1'])
    for (let taps = 0; taps < 5; taps += 1) viewer.tap('right')
    expect([viewer.id, viewer.percent]).toEqual(['ada2', 0])
    viewer.flow()
    viewer.pass(4_100)
    viewer.tap('right')
    expect(viewer.state.isOver).toBe(true)
  })
})

describe('steps', () => {
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

  test('back from the first story show it from its beginning', () => {
    const viewer = open(['ada1', 'ada2'])
    viewer.flow()
    viewer.pass(2_000)
    viewer.send({ type: 'step', to: 'previous' })
    expect([viewer.id, viewer.percent, viewer.state.isFlowing]).toEqual(['ada1', 0, true])
  })

  test('from member to member begin at the first story that was not seen', () => {
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

  test('know where the next and the previous member begin', () => {
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

  test('to the member before the first one show the first story again', () => {
    const viewer = open(['ada1', 'ada2'], 'ada2')
    viewer.send({ type: 'step-member', to: 'previous' })
    expect(viewer.id).toBe('ada1')
  })

  test('let a story play that was stopped by hand before, but not under a reply', () => {
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

describe('STORY-09 a story that was deleted', () => {
  test('gives way to its member’s next one, or ends it', () => {
    const viewer = open(['ada1', 'ada2', 'ben1'])
    viewer.flow()
    viewer.pass(1_000)
    viewer.send({ type: 'hold', by: 'reading' })
    viewer.send({ type: 'removed', id: 'ada1' })
    expect([viewer.id, viewer.percent]).toEqual(['ada2', 0])
    expect(isHeld(viewer.state)).toBe(false)
    viewer.send({ type: 'removed', id: 'ada2' })
    expect(viewer.state.isOver).toBe(true)
  })

  test('elsewhere in the list leaves what is on screen as it is', () => {
    const viewer = open(['ada1', 'ada2', 'ben1'], 'ada2')
    viewer.flow()
    viewer.pass(1_000)
    viewer.send({ type: 'removed', id: 'ada1' })
    viewer.send({ type: 'removed', id: 'ben1' })
    viewer.send({ type: 'removed', id: 'nobody' })
    expect([viewer.id, viewer.percent]).toEqual(['ada2', 20])
  })
})

import { STORY } from '#/shared/limits'

export type StoryKind = 'image' | 'video'
export type Direction = 'previous' | 'next'

/** What playing needs to know of a story. */
export interface PlayedStory {
  id: string
  memberId: string
  kind: StoryKind
  /** Whether it had been seen when the viewer was opened: a member's stories begin at the first that was not. */
  wasSeen: boolean
}

/** Why progress waits, though there is something to see. */
export type Hold =
  /** A finger or the mouse button is down. */
  | 'pressed'
  /** Stopped by its button or the space bar. */
  | 'paused'
  /** A reply is being written. */
  | 'reply'
  /** A long caption is read to its end. */
  | 'reading'
  /** Something lies over it: who viewed it, or the question whether to delete it. */
  | 'covered'
  /** The window cannot be seen. */
  | 'hidden'

export interface Playback {
  /** Each member's stories beside each other, oldest first. */
  stories: readonly PlayedStory[]
  /** Of the story on screen; meaningless once `isOver`. */
  index: number
  /** How much of its time it has been shown, in milliseconds. */
  elapsedMs: number
  /** How often it did not move on by time but jumped: a video jumps along. */
  jumps: number
  /** Its picture is there, or its video moves. */
  isFlowing: boolean
  holds: readonly Hold[]
  /** Nothing is left to show: the viewer closes. */
  isOver: boolean
}

export type PlaybackEvent =
  /** `STORY.tickMs` have passed. */
  | { type: 'tick' }
  | { type: 'tap'; side: 'left' | 'right' }
  | { type: 'flow'; id: string; isFlowing: boolean }
  | { type: 'hold'; by: Hold }
  | { type: 'release'; by: Hold }
  /** To the next or previous story, whoever's it is. */
  | { type: 'step'; to: Direction }
  /** To the next or previous member. */
  | { type: 'step-member'; to: Direction }
  | { type: 'removed'; id: string }

/** How long a story is shown, in milliseconds. */
export function shownMs(kind: StoryKind): number {
  return kind === 'image' ? STORY.imageMs : STORY.videoMs
}

export function startPlayback(stories: readonly PlayedStory[], id: string): Playback {
  const index = stories.findIndex((story) => story.id === id)
  return {
    stories,
    index: Math.max(0, index),
    elapsedMs: 0,
    jumps: 0,
    isFlowing: false,
    holds: [],
    isOver: index === -1,
  }
}

/** The story on screen; undefined once it is over. */
export function currentStory({ stories, index, isOver }: Playback): PlayedStory | undefined {
  return isOver ? undefined : stories[index]
}

/** The story that comes after the one on screen, or before it, whoever's it is. */
export function neighbour({ stories, index }: Playback, direction: Direction): PlayedStory | undefined {
  return stories[direction === 'next' ? index + 1 : index - 1]
}

export function isHeld({ holds }: Playback): boolean {
  return holds.length > 0
}

/** From 0 to 1. */
export function progressOf(playback: Playback): number {
  const story = currentStory(playback)
  return story === undefined ? 1 : playback.elapsedMs / shownMs(story.kind)
}

/** What runs over time in the viewer (STORY-03, STORY-04): no timers here, they send `tick`. */
export function playbackReducer(playback: Playback, event: PlaybackEvent): Playback {
  const story = currentStory(playback)
  if (story === undefined) return playback
  switch (event.type) {
    case 'tick':
      return playback.isFlowing && !isHeld(playback) ? moveOn(playback, story, STORY.tickMs) : playback
    case 'tap': {
      const jump = shownMs(story.kind) * STORY.tapShare
      const jumped = { ...playback, jumps: playback.jumps + 1 }
      return moveOn(jumped, story, event.side === 'right' ? jump : -jump)
    }
    case 'flow':
      return event.id === story.id ? { ...playback, isFlowing: event.isFlowing } : playback
    case 'hold':
      return playback.holds.includes(event.by)
        ? playback
        : { ...playback, holds: [...playback.holds, event.by] }
    case 'release':
      return { ...playback, holds: playback.holds.filter((hold) => hold !== event.by) }
    case 'step':
      return event.to === 'previous' && playback.index === 0
        ? show(playback, 0)
        : show(playback, playback.index + (event.to === 'next' ? 1 : -1))
    case 'step-member':
      return stepMember(playback, story, event.to)
    case 'removed':
      return remove(playback, event.id)
  }
}

function moveOn(playback: Playback, { kind }: PlayedStory, byMs: number): Playback {
  const elapsedMs = Math.max(0, playback.elapsedMs + byMs)
  return elapsedMs < shownMs(kind) ? { ...playback, elapsedMs } : end(playback)
}

/** At 100 % a member's next story comes; after their last one it is over. */
function end(playback: Playback): Playback {
  const next = neighbour(playback, 'next')
  return next?.memberId === currentStory(playback)?.memberId
    ? show(playback, playback.index + 1)
    : { ...playback, isOver: true }
}

/** Holds that end with the story they are for. */
const ITS_OWN: readonly Hold[] = ['paused', 'reading']

/** Begins a story; past the last one it is over. One that was stopped by hand goes on with another story. */
function show(playback: Playback, index: number): Playback {
  if (index >= playback.stories.length) return { ...playback, isOver: true }
  const holds = playback.holds.filter((hold) => !ITS_OWN.includes(hold))
  return {
    ...playback,
    index,
    elapsedMs: 0,
    isFlowing: playback.index === index && playback.isFlowing,
    holds,
  }
}

/** The story that the next or previous member's begin with; undefined where there is no such member. */
export function neighbourMember({ stories, index }: Playback, to: Direction): PlayedStory | undefined {
  const others = (story: PlayedStory) => story.memberId !== stories[index]?.memberId
  const found = to === 'next' ? stories.slice(index).find(others) : stories.slice(0, index).findLast(others)
  return found && stories[startOf(stories, found.memberId)]
}

function stepMember(playback: Playback, { memberId }: PlayedStory, to: Direction): Playback {
  const { stories } = playback
  const found = neighbourMember(playback, to)
  if (found !== undefined) return show(playback, stories.indexOf(found))
  return to === 'next' ? { ...playback, isOver: true } : show(playback, startOf(stories, memberId, 'first'))
}

/** Where a member's stories begin: at the first that was not seen, or that there is. */
function startOf(
  stories: readonly PlayedStory[],
  memberId: string,
  from: 'first' | 'unseen' = 'unseen',
): number {
  const isOf = (story: PlayedStory) => story.memberId === memberId
  const unseen = stories.findIndex((story) => isOf(story) && !story.wasSeen)
  return from === 'first' || unseen === -1 ? stories.findIndex(isOf) : unseen
}

/** In place of a story that is gone comes its member's next one. */
function remove(playback: Playback, id: string): Playback {
  const at = playback.stories.findIndex((story) => story.id === id)
  if (at === -1) return playback
  const stories = playback.stories.filter((story) => story.id !== id)
  if (at !== playback.index)
    return { ...playback, stories, index: playback.index - (at < playback.index ? 1 : 0) }
  const isNextTheirs = stories[at]?.memberId === playback.stories[at]?.memberId
  const holds = playback.holds.filter((hold) => !ITS_OWN.includes(hold))
  return { ...playback, stories, elapsedMs: 0, jumps: 0, isFlowing: false, holds, isOver: !isNextTheirs }
}

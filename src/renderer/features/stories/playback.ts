import { STORY } from '#/shared/limits'

export type StoryKind = 'image' | 'video'
export type Direction = 'previous' | 'next'

/** The part of a story that playback depends on. */
export interface PlayedStory {
  id: string
  memberId: string
  kind: StoryKind
  /** Whether it had been seen when the viewer opened: a member's stories start at the first unseen one. */
  wasSeen: boolean
}

/** A reason to pause the progress. */
export type Hold =
  /** A finger or the mouse button is down. */
  | 'pressed'
  /** By the pause button or the space bar. */
  | 'paused'
  /** The reply field has focus. */
  | 'reply'
  /** A long caption is expanded. */
  | 'reading'
  /** A dialog is open over the story. */
  | 'covered'
  /** The window is not visible. */
  | 'hidden'

export interface Playback {
  /** Grouped by member, oldest first. */
  stories: readonly PlayedStory[]
  /** Index of the story on screen; meaningless if `isOver`. */
  index: number
  /** How long it has been shown, in milliseconds. */
  elapsedMs: number
  /** Number of jumps by taps: the video seeks after each. */
  jumps: number
  /** The picture is loaded, or the video plays. */
  isReady: boolean
  holds: readonly Hold[]
  /** After a member's last story the next member's are shown, instead of closing. */
  playsOn: boolean
  /** The last story has ended: the viewer closes. */
  isOver: boolean
}

export type PlaybackEvent =
  /** `STORY.tickMs` have passed. */
  | { type: 'tick' }
  | { type: 'tap'; side: 'left' | 'right' }
  | { type: 'media'; id: string; isReady: boolean }
  | { type: 'hold'; by: Hold }
  | { type: 'release'; by: Hold }
  /** To the next or previous story of any member. */
  | { type: 'step'; to: Direction }
  /** To the next or previous member. */
  | { type: 'step-member'; to: Direction }
  | { type: 'removed'; id: string }

/** How long a story is shown, in milliseconds. */
export function shownMs(kind: StoryKind): number {
  return kind === 'image' ? STORY.imageMs : STORY.videoMs
}

export function startPlayback(stories: readonly PlayedStory[], id: string, playsOn = false): Playback {
  const index = stories.findIndex((story) => story.id === id)
  return {
    stories,
    index: Math.max(0, index),
    elapsedMs: 0,
    jumps: 0,
    isReady: false,
    holds: [],
    playsOn,
    isOver: index === -1,
  }
}

/** The story on screen; undefined after the end. */
export function currentStory({ stories, index, isOver }: Playback): PlayedStory | undefined {
  return isOver ? undefined : stories[index]
}

/** The next or previous story of any member. */
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

/** Plays stories (STORY-03, STORY-04). The caller's timer dispatches `tick`. */
export function playbackReducer(playback: Playback, event: PlaybackEvent): Playback {
  const story = currentStory(playback)
  if (story === undefined) return playback
  switch (event.type) {
    case 'tick':
      return playback.isReady && !isHeld(playback) ? advance(playback, story, STORY.tickMs) : playback
    case 'tap': {
      const jump = shownMs(story.kind) * STORY.tapShare
      const jumped = { ...playback, jumps: playback.jumps + 1 }
      return advance(jumped, story, event.side === 'right' ? jump : -jump)
    }
    case 'media':
      return event.id === story.id ? { ...playback, isReady: event.isReady } : playback
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

function advance(playback: Playback, { kind }: PlayedStory, byMs: number): Playback {
  const elapsedMs = Math.max(0, playback.elapsedMs + byMs)
  return elapsedMs < shownMs(kind) ? { ...playback, elapsedMs } : end(playback)
}

/** Shows the member's next story; after the last one the next member's, if playback goes on, or it is over. */
function end(playback: Playback): Playback {
  const next = neighbour(playback, 'next')
  if (next?.memberId === currentStory(playback)?.memberId) return show(playback, playback.index + 1)
  const following = followingMember(playback)
  return following === undefined
    ? { ...playback, isOver: true }
    : show(playback, playback.stories.indexOf(following))
}

/** The story of the next member that follows the one on screen by itself; undefined if it is not the member's last one, or nothing follows. */
export function followingMember(playback: Playback): PlayedStory | undefined {
  const { memberId } = currentStory(playback) ?? {}
  const isLast = neighbour(playback, 'next')?.memberId !== memberId
  return playback.playsOn && isLast ? neighbourMember(playback, 'next') : undefined
}

/** Holds that end when another story is shown. */
const STORY_HOLDS: readonly Hold[] = ['paused', 'reading']

/** Starts a story; past the last one playback is over. */
function show(playback: Playback, index: number): Playback {
  if (index >= playback.stories.length) return { ...playback, isOver: true }
  const holds = playback.holds.filter((hold) => !STORY_HOLDS.includes(hold))
  return {
    ...playback,
    index,
    elapsedMs: 0,
    isReady: playback.index === index && playback.isReady,
    holds,
  }
}

/** The first story to show of the next or previous member; undefined if there is none. */
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

/** The index of a member's first unseen story, or of their first one. */
function startOf(
  stories: readonly PlayedStory[],
  memberId: string,
  from: 'first' | 'unseen' = 'unseen',
): number {
  const isOf = (story: PlayedStory) => story.memberId === memberId
  const unseen = stories.findIndex((story) => isOf(story) && !story.wasSeen)
  return from === 'first' || unseen === -1 ? stories.findIndex(isOf) : unseen
}

/** Removes a story and shows its member's next one instead, or what follows its member. */
function remove(playback: Playback, id: string): Playback {
  const at = playback.stories.findIndex((story) => story.id === id)
  if (at === -1) return playback
  const stories = playback.stories.filter((story) => story.id !== id)
  if (at !== playback.index)
    return { ...playback, stories, index: playback.index - (at < playback.index ? 1 : 0) }
  const following = followingMember(playback)
  if (following !== undefined)
    return { ...show({ ...playback, stories }, stories.indexOf(following)), isReady: false }
  const isOver = stories[at]?.memberId !== playback.stories[at]?.memberId
  const holds = playback.holds.filter((hold) => !STORY_HOLDS.includes(hold))
  return { ...playback, stories, elapsedMs: 0, jumps: 0, isReady: false, holds, isOver }
}

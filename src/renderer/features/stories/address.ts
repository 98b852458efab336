import { type ModalParam, modalState, readModalParam, withModalParam } from '#/renderer/lib/modal-route'

/** In place of an id: the form that makes a story. */
export const NEW_STORY = 'new'

/** Members that go along with a story, each way: a history entry is no place for a whole strip. */
const REACH = 50

/** The id of the story that is open over the page, or `NEW_STORY`; null for nothing. It may be no id at all. */
export function openStoryId(search: string): string | null {
  return readModalParam(search, 'story')
}

/** The part of an address behind its path with this story open; what else stands there stays. */
export function withStory(search: string, id: string): string {
  return withModalParam(search, 'story', id)
}

/** What goes along with a history entry that shows a story. */
interface StoryState {
  /** Members whose stories one can go on to, in the strip's order; null when the address itself opened it. */
  members: readonly string[] | null
  /** Names the viewer that goes from story to story within this entry; null before it does. */
  run: string | null
}

/** The history state for a story of this member, opened from a strip of these members; by itself without any. */
export function storyState(
  members: readonly string[] = [],
  memberId = '',
): { story: StoryState; over: ModalParam } {
  const at = Math.max(0, members.indexOf(memberId))
  return modalState('story', {
    story: { members: members.slice(Math.max(0, at - REACH), at + REACH + 1), run: null },
  })
}

/** The same history state for another story that the same viewer shows. */
export function withRun(state: unknown, run: string): { story: StoryState } {
  const rest = typeof state === 'object' ? state : null
  return { ...rest, story: { ...readStoryState(state), run } }
}

/** What a history entry's state says about the story it shows. */
export function readStoryState(state: unknown): StoryState {
  const story = typeof state === 'object' && state !== null && 'story' in state ? state.story : null
  if (typeof story !== 'object' || story === null) return { members: null, run: null }
  return {
    members: 'members' in story && isTexts(story.members) ? story.members : null,
    run: 'run' in story && typeof story.run === 'string' ? story.run : null,
  }
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'string')
}

import { useCallback } from 'react'
import { useLocation, useNavigate } from 'react-router-dom'
import {
  type ModalParam,
  modalState,
  readModalParam,
  withModalParam,
} from '#/renderer/lib/navigation/modal-route'
import { NEW_STORY } from '#/shared/routes'

export { NEW_STORY }

/** Members before and after the story's member in a history entry, which has limited size. */
const REACH = 50

/** The id of the open story, or `NEW_STORY`; null if none is open. It may be any text. */
export function openStoryId(search: string): string | null {
  return readModalParam(search, 'story')
}

/** The search string with this story open; other parameters stay. */
export function withStory(search: string, id: string): string {
  return withModalParam(search, 'story', id)
}

/** The state of a history entry that shows a story. */
interface StoryState {
  /** Members whose stories follow and precede, in the strip's order; null if opened by URL. */
  members: readonly string[] | null
  /** Id of the pending story that the form takes out of the outbox. */
  edit: string | null
  /** Identifies the viewer that moves from story to story within this entry; null for the first story. */
  run: string | null
}

/** The history state for a member's story in a strip of these members; without members, for a single story. */
export function storyState(
  members: readonly string[] = [],
  memberId = '',
): { story: StoryState; over: ModalParam } {
  const at = Math.max(0, members.indexOf(memberId))
  return modalState('story', {
    story: { members: members.slice(Math.max(0, at - REACH), at + REACH + 1), run: null, edit: null },
  })
}

/** The history state for the form that edits a pending story. */
export function editState(id: string): { story: StoryState; over: ModalParam } {
  return modalState('story', { story: { members: [], run: null, edit: id } })
}

/** The history state for another story in the same viewer. */
export function withRun(state: unknown, run: string): { story: StoryState } {
  const rest = typeof state === 'object' ? state : null
  return { ...rest, story: { ...readStoryState(state), run } }
}

/** Reads the story's part of a history state. */
export function readStoryState(state: unknown): StoryState {
  const story = typeof state === 'object' && state !== null && 'story' in state ? state.story : null
  if (typeof story !== 'object' || story === null) return { members: null, run: null, edit: null }
  return {
    members: 'members' in story && isStringArray(story.members) ? story.members : null,
    run: 'run' in story && typeof story.run === 'string' ? story.run : null,
    edit: 'edit' in story && typeof story.edit === 'string' ? story.edit : null,
  }
}

function isStringArray(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'string')
}

/** The members of the opened strip, and how the viewer changes the story in the URL. */
export function useStoryAddress(run: string) {
  const navigate = useNavigate()
  const { state } = useLocation()
  const { members } = readStoryState(state)
  return {
    members: members ?? [],
    /** Replaces the history entry, so that Back leads to the page. */
    show: useCallback(
      (id: string) => {
        const { search } = window.location
        if (openStoryId(search) === id) return
        void navigate({ search: withStory(search, id) }, { replace: true, state: withRun(state, run) })
      },
      [navigate, state, run],
    ),
  }
}

import { create } from 'zustand'
import {
  type MediaChoice,
  type MediaChoiceChange,
  mediaChoiceReducer,
  type PreparedMedia,
} from '#/renderer/lib/media'
import { trimText } from '#/shared/visible-text'
import type { NewStory } from './mutations'

export interface StoryDraft {
  /** Generated here, so that a story shared twice (after a lost response) is stored once. */
  id: string
  /** It was sent under this id, and may have been stored. */
  wasSent: boolean
  /** The id in flight; null after the response. The form is read-only meanwhile, also when it is reopened. */
  sending: string | null
  /** Former ids of a draft that was sent and then changed. Stories cannot be updated, so sharing deletes these. */
  replaces: readonly string[]
  caption: string
  chosen: MediaChoice<PreparedMedia>
}

export type DraftEvent =
  | { type: 'typed'; caption: string }
  | { type: 'media'; change: MediaChoiceChange<PreparedMedia> }
  /** 'Change Media': removes the media and the caption. */
  | { type: 'cleared' }
  | { type: 'sent' }
  /** The member edits a pending story. */
  | { type: 'returned'; id: string; story: NewStory }
  /** The story with this id is stored, or waits in the outbox. */
  | { type: 'shared'; id: string }
  | { type: 'failed'; id: string }

export function emptyDraft(): StoryDraft {
  return {
    id: crypto.randomUUID(),
    wasSent: false,
    sending: null,
    replaces: [],
    caption: '',
    chosen: { state: 'none' },
  }
}

/** Whether the form is empty, so that a pending story can be edited in it. */
export function isEmptyDraft({ caption, chosen, sending }: StoryDraft): boolean {
  return caption === '' && chosen.state === 'none' && sending === null
}

/** Gives a changed draft a new id if it was sent under its current one. */
function withNewId(draft: StoryDraft): StoryDraft {
  if (!draft.wasSent) return draft
  return { ...draft, id: crypto.randomUUID(), wasSent: false, replaces: [...draft.replaces, draft.id] }
}

export function draftReducer(draft: StoryDraft, event: DraftEvent): StoryDraft {
  switch (event.type) {
    case 'typed':
      return event.caption === draft.caption ? draft : { ...withNewId(draft), caption: event.caption }
    case 'media': {
      const chosen = mediaChoiceReducer(draft.chosen, event.change)
      if (chosen === draft.chosen) return draft
      return { ...(event.change.type === 'ready' ? withNewId(draft) : draft), chosen }
    }
    case 'cleared':
      return { ...withNewId(draft), caption: '', chosen: { state: 'none' } }
    case 'sent':
      return { ...draft, wasSent: true, sending: draft.id }
    case 'returned': {
      const { media, caption, replaces } = event.story
      return {
        ...emptyDraft(),
        id: event.id,
        // The response of an earlier attempt may have been lost.
        wasSent: true,
        replaces: [...draft.replaces, ...replaces],
        caption: caption ?? '',
        chosen: { state: 'ready', media },
      }
    }
    case 'shared':
      return draft.id === event.id ? emptyDraft() : draft
    case 'failed':
      return draft.sending === event.id ? { ...draft, sending: null } : draft
  }
}

interface StoryDraftStore {
  /** Id of the member, so that another member of this window does not see the draft. */
  owner: string
  draft: StoryDraft
  /** The drafts of the window's other members, by id. */
  others: Readonly<Record<string, StoryDraft | undefined>>
  /** A file is being chosen or read. */
  isAsking: boolean
}

/** The draft of a story. It survives closing the form and a sign-out. */
export const useStoryDraftStore = create<StoryDraftStore>(() => ({
  owner: '',
  draft: emptyDraft(),
  others: {},
  isAsking: false,
}))

export function dispatchDraft(event: DraftEvent): void {
  useStoryDraftStore.setState(({ draft }) => ({ draft: draftReducer(draft, event) }))
}

/** Opens the draft of a member. */
export function openStoryDraft(owner: string): void {
  const { owner: before, draft, others } = useStoryDraftStore.getState()
  if (before === owner) return
  const { [owner]: kept, ...rest } = { ...others, [before]: draft }
  useStoryDraftStore.setState({ owner, draft: kept ?? emptyDraft(), others: rest })
}

/** Whether a member has a draft of a story. */
export function hasStoryDraft(me: string): boolean {
  const { owner, draft, others } = useStoryDraftStore.getState()
  const own = owner === me ? draft : others[me]
  return own !== undefined && !isEmptyDraft(own)
}

export function forgetStoryDraft(me: string): void {
  useStoryDraftStore.setState(({ owner, draft, others }) => ({
    draft: owner === me ? emptyDraft() : draft,
    others: { ...others, [me]: undefined },
  }))
}

/** The caption for its column: trimmed, null if empty (STORY-01). */
export function captionOf({ caption }: Pick<StoryDraft, 'caption'>): string | null {
  const trimmed = trimText(caption)
  return trimmed === '' ? null : trimmed
}

import { create } from 'zustand'
import {
  type MediaChoice,
  type MediaChoiceChange,
  mediaChoiceReducer,
  type PreparedMedia,
} from '#/renderer/lib/media'

export interface StoryDraft {
  /** Made here, so that a story that is shared again after a lost answer is not there twice. */
  id: string
  /** It was sent under this id; whether it arrived is not known until an answer comes. */
  wasSent: boolean
  /** The id that is on its way, until its answer comes, whether the form is open or not: it is locked by it. */
  sending: string | null
  /** Ids it was sent under before it was changed: a story cannot be, so these give way to it. */
  replaces: readonly string[]
  caption: string
  chosen: MediaChoice<PreparedMedia>
}

export type MakingEvent =
  | { type: 'typed'; caption: string }
  | { type: 'media'; change: MediaChoiceChange<PreparedMedia> }
  /** 'Change Media': the media go, and what was written about them. */
  | { type: 'cleared' }
  | { type: 'sent' }
  /** The story with this id is stored. */
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

/** Another story than the one that may have arrived: that one is taken back when this one is shared. */
function renewed(draft: StoryDraft): StoryDraft {
  if (!draft.wasSent) return draft
  return { ...draft, id: crypto.randomUUID(), wasSent: false, replaces: [...draft.replaces, draft.id] }
}

export function makingReducer(draft: StoryDraft, event: MakingEvent): StoryDraft {
  switch (event.type) {
    case 'typed':
      return event.caption === draft.caption ? draft : { ...renewed(draft), caption: event.caption }
    case 'media': {
      const chosen = mediaChoiceReducer(draft.chosen, event.change)
      if (chosen === draft.chosen) return draft
      return { ...(event.change.type === 'ready' ? renewed(draft) : draft), chosen }
    }
    case 'cleared':
      return { ...renewed(draft), caption: '', chosen: { state: 'none' } }
    case 'sent':
      return { ...draft, wasSent: true, sending: draft.id }
    case 'shared':
      return draft.id === event.id ? emptyDraft() : draft
    case 'failed':
      return draft.sending === event.id ? { ...draft, sending: null } : draft
  }
}

interface MakingStore {
  /** Whose draft it is: another member of this window does not get to see it. */
  owner: string
  draft: StoryDraft
}

/** The story that is being made. It outlives its form: whoever looks something up finds it as it was. */
export const useMakingStore = create<MakingStore>(() => ({ owner: '', draft: emptyDraft() }))

export function dispatch(event: MakingEvent): void {
  useMakingStore.setState(({ draft }) => ({ draft: makingReducer(draft, event) }))
}

/** Gives the form to a member; a draft of somebody else is dropped. */
export function openMaking(owner: string): void {
  if (useMakingStore.getState().owner !== owner) useMakingStore.setState({ owner, draft: emptyDraft() })
}

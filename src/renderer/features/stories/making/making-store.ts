import { create } from 'zustand'
import type { MediaErrorCode, PreparedMedia } from '#/renderer/lib/media'

/** What has become of the file that was chosen. */
export type ChosenMedia =
  | { state: 'none' }
  | { state: 'working'; progress: number; previous: PreparedMedia | null }
  | { state: 'ready'; media: PreparedMedia }
  | { state: 'refused'; code: MediaErrorCode; previous: PreparedMedia | null }

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
  chosen: ChosenMedia
}

export type MakingEvent =
  | { type: 'typed'; caption: string }
  | { type: 'chosen' }
  | { type: 'progress'; fraction: number }
  | { type: 'ready'; media: PreparedMedia }
  | { type: 'refused'; code: MediaErrorCode }
  | { type: 'cancelled' }
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

/** What would be shared now: what is ready, or what was before a choice that is not done or was refused. */
export function mediaOf({ chosen }: StoryDraft): PreparedMedia | null {
  switch (chosen.state) {
    case 'none':
      return null
    case 'ready':
      return chosen.media
    default:
      return chosen.previous
  }
}

/** Another story than the one that may have arrived: that one is taken back when this one is shared. */
function renewed(draft: StoryDraft): StoryDraft {
  if (!draft.wasSent) return draft
  return { ...draft, id: crypto.randomUUID(), wasSent: false, replaces: [...draft.replaces, draft.id] }
}

export function makingReducer(draft: StoryDraft, event: MakingEvent): StoryDraft {
  const previous = mediaOf(draft)
  const settled: ChosenMedia = previous === null ? { state: 'none' } : { state: 'ready', media: previous }
  switch (event.type) {
    case 'typed':
      return event.caption === draft.caption ? draft : { ...renewed(draft), caption: event.caption }
    case 'chosen':
      return { ...draft, chosen: { state: 'working', progress: 0, previous } }
    case 'progress':
      return draft.chosen.state === 'working'
        ? { ...draft, chosen: { ...draft.chosen, progress: event.fraction } }
        : draft
    case 'ready':
      return { ...renewed(draft), chosen: { state: 'ready', media: event.media } }
    case 'refused':
      return { ...draft, chosen: { state: 'refused', code: event.code, previous } }
    case 'cancelled':
      return { ...draft, chosen: settled }
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

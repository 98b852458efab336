import { create } from 'zustand'
import { newId } from '#/renderer/lib/core/uuid'
import {
  type ClipEdit,
  type MediaChoice,
  type MediaChoiceChange,
  type MediaFile,
  mediaChoiceReducer,
  mediaOf,
  type NamedFile,
  type PreparedMedia,
} from '#/renderer/lib/media'
import { KEPT_VIDEO_BYTES } from '#/shared/limits'
import { trimText } from '#/shared/visible-text'
import type { NewStory } from './mutations'
import { type KeptClip, keepFiles, keepStory, loadFiles, readStory } from './story-files-store'

/** A chosen video, and what is kept of it. */
export interface Clip extends Omit<KeptClip, 'bytes'> {
  source: MediaFile
}

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
  /** The video that is ready; null for a photo. */
  clip: Clip | null
  /** The video that is being converted, or edited. */
  next: Clip | null
  /** Until `next` is converted; null if that is not known. */
  secondsLeft: number | null
  /** A video that was being converted when the app ended, and is not stored. */
  lost: KeptClip | null
  /** Files for further stories, that came while this one was being sent, or together: the first is added when this draft is gone. */
  waiting: readonly NamedFile[]
}

export type DraftEvent =
  | { type: 'typed'; caption: string }
  | { type: 'media'; change: MediaChoiceChange<PreparedMedia> }
  /** A chosen video was read. */
  | { type: 'clip'; clip: Clip }
  | { type: 'time-left'; seconds: number | null }
  | { type: 'editor-opened' }
  | { type: 'editor-closed' }
  /** The member has chosen another part, cover or sound of `next`. */
  | { type: 'edited'; edit: ClipEdit }
  /** The draft of an earlier run was loaded. */
  | { type: 'restored'; draft: Partial<StoryDraft> }
  /** 'Change Media': removes the media and the caption. */
  | { type: 'cleared' }
  | { type: 'sent' }
  /** The member edits a pending story. */
  | { type: 'returned'; id: string; story: NewStory }
  /** The story with this id is stored, or waits in the outbox. */
  | { type: 'shared'; id: string }
  | { type: 'failed'; id: string }
  /** Files for further stories. */
  | { type: 'waiting'; files: readonly NamedFile[] }

export function emptyDraft(): StoryDraft {
  return {
    id: newId(),
    wasSent: false,
    sending: null,
    replaces: [],
    caption: '',
    chosen: { state: 'none' },
    ...NO_VIDEO,
    waiting: [],
  }
}

const NO_VIDEO = { clip: null, next: null, secondsLeft: null, lost: null } as const

/** Whether the form is empty, so that a pending story can be edited in it. */
export function isEmptyDraft({ caption, chosen, next, sending }: StoryDraft): boolean {
  return caption === '' && chosen.state === 'none' && next === null && sending === null
}

/** Gives a changed draft a new id if it was sent under its current one. */
function withNewId(draft: StoryDraft): StoryDraft {
  if (!draft.wasSent) return draft
  return { ...draft, id: newId(), wasSent: false, replaces: [...draft.replaces, draft.id] }
}

/** Which video belongs to the draft after its media changed. */
function withVideo(draft: StoryDraft, change: MediaChoiceChange<PreparedMedia>): StoryDraft {
  switch (change.type) {
    case 'ready':
      return { ...draft, ...NO_VIDEO, clip: change.media.kind === 'video' ? draft.next : null }
    case 'refused':
      return { ...draft, next: null, secondsLeft: null }
    case 'cancelled': {
      const { next } = draft
      return {
        ...draft,
        next: next?.step === 'chosen' ? { ...next, step: 'editing' } : null,
        secondsLeft: null,
      }
    }
    case 'chosen':
      return { ...draft, secondsLeft: null }
    case 'progress':
    case 'previewed':
      return draft
  }
}

export function draftReducer(draft: StoryDraft, event: DraftEvent): StoryDraft {
  switch (event.type) {
    case 'typed':
      return event.caption === draft.caption ? draft : { ...withNewId(draft), caption: event.caption }
    case 'media': {
      const chosen = mediaChoiceReducer(draft.chosen, event.change)
      if (chosen === draft.chosen) return draft
      return withVideo(
        { ...(event.change.type === 'ready' ? withNewId(draft) : draft), chosen },
        event.change,
      )
    }
    case 'clip':
      return { ...draft, next: event.clip, lost: null }
    case 'time-left':
      return { ...draft, secondsLeft: event.seconds }
    case 'editor-opened':
      return { ...draft, next: draft.clip && { ...draft.clip, step: 'editing' } }
    case 'editor-closed':
      return { ...draft, next: null }
    case 'edited':
      return draft.next === null
        ? draft
        : { ...draft, next: { ...draft.next, edit: event.edit, step: 'chosen' } }
    case 'restored':
      return isEmptyDraft(draft) ? { ...draft, ...event.draft } : draft
    case 'cleared':
      return { ...withNewId(draft), caption: '', chosen: { state: 'none' }, ...NO_VIDEO }
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
      return draft.id === event.id ? { ...emptyDraft(), waiting: draft.waiting } : draft
    case 'failed':
      return draft.sending === event.id ? { ...draft, sending: null } : draft
    case 'waiting':
      return { ...draft, waiting: event.files }
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
  const { owner, draft: before } = useStoryDraftStore.getState()
  const draft = draftReducer(before, event)
  if (draft === before) return
  useStoryDraftStore.setState({ draft })
  if (owner !== '' && event.type !== 'restored') keep(owner, draft, before)
}

/** The video that a restart returns. Media that are ready stay while another part is chosen. */
function returnedClip({ clip, next }: StoryDraft): { clip: Clip | null; isReady: boolean } {
  const isReady = next === null || (clip !== null && next.step === 'editing')
  return { clip: isReady ? clip : next, isReady }
}

function keptClipOf(clip: Clip | null): KeptClip | null {
  if (clip === null) return null
  const { source, ...kept } = clip
  return { ...kept, bytes: source.size }
}

/** Stores what has changed of a draft, for the next run of the app. */
function keep(owner: string, draft: StoryDraft, before: StoryDraft): void {
  const [media, mediaBefore] = [mediaOf(draft.chosen), mediaOf(before.chosen)]
  const { clip, isReady } = returnedClip(draft)
  const { clip: clipBefore } = returnedClip(before)
  if (media !== mediaBefore) keepFiles(owner, { media })
  if (clip?.source !== clipBefore?.source) {
    const source = clip?.source ?? null
    keepFiles(owner, { source: source !== null && source.size > KEPT_VIDEO_BYTES ? null : source })
  }
  const { id, wasSent, replaces, caption } = draft
  const isEmpty = caption === '' && media === null && clip === null
  const story = { id, wasSent, replaces, caption, clip: keptClipOf(clip), isReady }
  const fields = ['id', 'wasSent', 'caption', 'next', 'clip'] as const
  if (media !== mediaBefore || fields.some((field) => draft[field] !== before[field]))
    keepStory(owner, isEmpty ? null : story)
}

/**
 * Opens the draft of a member: that of this run, else the stored one. Resolves with a video whose conversion the end of the app has
 * interrupted, to be converted again; null if there is none. Never rejects.
 */
export async function openStoryDraft(owner: string): Promise<Blob | null> {
  const { owner: before, draft, others } = useStoryDraftStore.getState()
  if (before === owner) return null
  const { [owner]: open, ...rest } = { ...others, [before]: draft }
  useStoryDraftStore.setState({ owner, draft: open ?? emptyDraft(), others: rest })
  const kept = open === undefined ? readStory(owner) : null
  if (kept === null) return null
  const { media, source } = await loadFiles(owner)
  if (useStoryDraftStore.getState().owner !== owner) return null
  const { clip, isReady, ...fields } = kept
  const isInterrupted = clip !== null && !isReady
  const file = clip !== null && source !== null ? new File([source], clip.name) : null
  dispatchDraft({
    type: 'restored',
    draft: {
      ...fields,
      ...(media !== null && { chosen: { state: 'ready', media } }),
      clip: clip !== null && media !== null && isReady && file !== null ? { ...clip, source: file } : null,
      lost: isInterrupted ? clip : null,
    },
  })
  return isInterrupted && useStoryDraftStore.getState().draft.lost !== null ? file : null
}

/** Whether a member has a draft of a story. */
export function hasStoryDraft(me: string): boolean {
  const { owner, draft, others } = useStoryDraftStore.getState()
  const own = owner === me ? draft : others[me]
  return own === undefined ? readStory(me) !== null : !isEmptyDraft(own)
}

export function forgetStoryDraft(me: string): void {
  keepStory(me, null)
  keepFiles(me, { media: null, source: null })
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

import { create } from 'zustand'
import type { NewPost } from '#/renderer/features/feed'
import {
  type MediaChoice,
  type MediaChoiceChange,
  mediaChoiceReducer,
  mediaOf,
  type PreparedPicture,
} from '#/renderer/lib/media'
import { keepDraft, readKeptDraft } from './kept-draft'

interface Words {
  content: string
  location: string
  altText: string
}

/** What is on its way, as it left the form. */
interface Sending extends Words {
  id: string
  picture: PreparedPicture | null
}

export interface ComposerDraft extends Words {
  /** Made here, so that a post that is sent again after a lost answer is not there twice. */
  id: string
  /** It was sent under this id; whether it arrived is not known until an answer comes. */
  wasSent: boolean
  /** Until the answer comes, on whichever screen one is meanwhile: the form is locked by it. */
  sending: Sending | null
  photo: MediaChoice<PreparedPicture>
}

export type ComposerEvent =
  | { type: 'typed'; field: keyof Words; value: string }
  | { type: 'photo'; change: MediaChoiceChange<PreparedPicture> }
  | { type: 'photo-removed' }
  | { type: 'sent' }
  /** The server refused a queued post, and the member wants to edit it. */
  | { type: 'returned'; id: string; post: NewPost }
  /** The post with this id is stored, or waits in the outbox: it leaves the form. */
  | { type: 'posted'; id: string }
  | { type: 'failed'; id: string }

export function emptyDraft(): ComposerDraft {
  return {
    id: crypto.randomUUID(),
    wasSent: false,
    sending: null,
    content: '',
    location: '',
    altText: '',
    photo: { state: 'none' },
  }
}

/** A stored picture cannot be changed: with another one, a draft that may have arrived becomes a new post. */
function renewed(draft: ComposerDraft): ComposerDraft {
  return draft.wasSent ? { ...draft, id: crypto.randomUUID(), wasSent: false } : draft
}

/** Whether the form is empty, so that another post can be edited in it. */
export function isEmptyDraft({ content, location, altText, photo, sending }: ComposerDraft): boolean {
  return content + location + altText === '' && photo.state === 'none' && sending === null
}

export function composerReducer(draft: ComposerDraft, event: ComposerEvent): ComposerDraft {
  switch (event.type) {
    case 'typed':
      return { ...draft, [event.field]: event.value }
    case 'photo': {
      const photo = mediaChoiceReducer(draft.photo, event.change)
      if (photo === draft.photo) return draft
      return { ...(event.change.type === 'ready' ? renewed(draft) : draft), photo }
    }
    case 'photo-removed':
      return { ...renewed(draft), photo: { state: 'none' }, altText: '' }
    case 'sent': {
      const { id, content, location, altText } = draft
      return {
        ...draft,
        wasSent: true,
        sending: { id, content, location, altText, picture: mediaOf(draft.photo) },
      }
    }
    case 'returned': {
      const { picture, ...words } = event.post
      const photo: ComposerDraft['photo'] =
        picture === null ? { state: 'none' } : { state: 'ready', media: picture }
      // Under its id: an attempt whose response was lost may have stored it.
      return { ...emptyDraft(), ...words, id: event.id, wasSent: true, photo }
    }
    case 'posted':
      return draft.sending?.id === event.id ? remainder(draft, draft.sending) : draft
    case 'failed':
      return draft.sending?.id === event.id ? { ...draft, sending: null } : draft
  }
}

/** The next draft: what came into the form after the last one was sent. */
function remainder(draft: ComposerDraft, sent: Sending): ComposerDraft {
  const rest = (field: keyof Words) => (draft[field] === sent[field] ? '' : draft[field])
  return {
    ...emptyDraft(),
    ...(draft.id !== sent.id && { id: draft.id, wasSent: draft.wasSent }),
    content: rest('content'),
    location: rest('location'),
    altText: rest('altText'),
    photo: mediaOf(draft.photo) === sent.picture ? withoutPicture(draft.photo) : draft.photo,
  }
}

function withoutPicture(photo: ComposerDraft['photo']): ComposerDraft['photo'] {
  return photo.state === 'working' ? { ...photo, previous: null } : { state: 'none' }
}

interface ComposerStore {
  /** Whose draft it is: another member of this window does not get to see it. */
  owner: string
  draft: ComposerDraft
  /** The id of the last post of the draft that was stored. */
  posted: string | null
}

/** The post that is being written. It outlives the screen: whoever looks something up finds it as it was. */
export const useComposerStore = create<ComposerStore>(() => ({
  owner: '',
  draft: emptyDraft(),
  posted: null,
}))

/** Whether what is kept of one is no longer what is to be kept of the other. */
function isToKeep(draft: ComposerDraft, before: ComposerDraft): boolean {
  const fields = ['content', 'location', 'altText', 'id', 'wasSent'] as const
  return fields.some((field) => draft[field] !== before[field])
}

export function dispatch(event: ComposerEvent): void {
  const { owner, draft: before } = useComposerStore.getState()
  const draft = composerReducer(before, event)
  const isPosted = event.type === 'posted' && draft !== before
  useComposerStore.setState({ draft, ...(isPosted && { posted: event.id }) })
  if (!isToKeep(draft, before)) return
  keepDraft(owner, { ...draft, sentAs: draft.wasSent && mediaOf(draft.photo) === null ? draft.id : null })
}

/** Gives the composer to a member, with the words of theirs that were kept; a draft of somebody else is dropped. */
export function openComposer(owner: string): void {
  if (useComposerStore.getState().owner !== owner)
    useComposerStore.setState({ owner, draft: withKept(emptyDraft(), readKeptDraft(owner)) })
}

/** Calls back when what was written here is posted. Gives its unsubscribe. */
export function onPosted(listener: () => void): () => void {
  return useComposerStore.subscribe((state, before) => {
    if (state.posted !== before.posted) listener()
  })
}

function withKept(draft: ComposerDraft, kept: ReturnType<typeof readKeptDraft>): ComposerDraft {
  if (kept === null) return draft
  const { sentAs, ...words } = kept
  return { ...draft, ...words, ...(sentAs !== null && { id: sentAs, wasSent: true }) }
}

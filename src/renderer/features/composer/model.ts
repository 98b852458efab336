import type { NewPost } from '#/renderer/features/feed'
import type { PostWords } from '#/renderer/features/post'
import {
  type MediaChoice,
  type MediaChoiceChange,
  mediaChoiceReducer,
  mediaOf,
  type PreparedPicture,
} from '#/renderer/lib/media'

/** The draft as it was sent. */
interface Sending extends PostWords {
  id: string
  picture: PreparedPicture | null
}

export interface ComposerDraft extends PostWords {
  /** Generated here, so that a post that is sent again after a lost response is stored once. */
  id: string
  /** It was sent under this id; the server may have stored it. */
  wasSent: boolean
  /** Locks the form until the server answers, even if the member opens other screens meanwhile. */
  sending: Sending | null
  photo: MediaChoice<PreparedPicture>
}

export type ComposerEvent =
  | { type: 'typed'; field: keyof PostWords; value: string }
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

/** A stored picture cannot be changed: with another one, a draft that may be stored becomes a new post. */
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

/** The next draft: text and photo that were added after the last one was sent. */
function remainder(draft: ComposerDraft, sent: Sending): ComposerDraft {
  const rest = (field: keyof PostWords) => (draft[field] === sent[field] ? '' : draft[field])
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

import type { NewPhoto, NewPost } from '#/renderer/features/feed'
import { canPost } from '#/renderer/features/post'
import { CAMERA_FIELDS, type CameraDetails, type CameraField } from '#/renderer/lib/content/camera'
import { exceeds } from '#/renderer/lib/content/rich-text'
import { newId } from '#/renderer/lib/core/uuid'
import {
  type MediaErrorCode,
  type MediaRefusal,
  nameOf,
  type PhotoNote,
  type PictureEdit,
  type PicturePreview,
  type PreparedPicture,
  UNEDITED,
} from '#/renderer/lib/media'
import { TEXT_LIMITS } from '#/shared/limits'
import { trimText } from '#/shared/visible-text'

/** A photo of the draft. */
export interface DraftPhoto {
  id: string
  /** The chosen file; edits always start from it. */
  source: Blob
  edit: PictureEdit
  altText: string
  /** All camera details in the file; only those in `shown` are stored. */
  camera: CameraDetails
  /** The details that the member has chosen to show; initially none. */
  shown: readonly CameraField[]
  note: PhotoNote | null
  /** A small version with the edit, or an earlier one; null until the file is decoded. Not stored. */
  preview: PicturePreview | null
  /** The picture as it would be shared, or with an earlier edit while `work` is set; null until it is prepared for the first time. */
  picture: PreparedPicture | null
  /** Set until the picture is prepared with its edit: the fraction done, and why the last attempt failed. */
  work: { progress: number; failure: MediaErrorCode | null } | null
}

/** Why a chosen file is not in the draft. `name` is null for a file without a name. */
export type PhotoProblem =
  | ({ type: 'refused'; name: string | null } & MediaRefusal)
  | { type: 'too-many'; left: number }

type PostTexts = Pick<NewPost, 'content' | 'location'>

/** The draft as it is sent. */
export interface Sending extends PostTexts {
  id: string
  photos: readonly DraftPhoto[]
}

export interface ComposerDraft extends PostTexts {
  /** Generated here, so that a post that is sent again after a lost response is stored once. */
  id: string
  /** Whether it was sent under this id: the server may have stored it. */
  wasSent: boolean
  /** Locks the form until the server answers, even if the member opens other screens meanwhile. */
  sending: Sending | null
  photos: readonly DraftPhoto[]
  /** Problems with the files that were chosen last. */
  problems: readonly PhotoProblem[]
}

export type ComposerEvent =
  | { type: 'typed'; field: keyof PostTexts; value: string }
  | { type: 'photos-added'; photos: readonly DraftPhoto[]; problems: readonly PhotoProblem[] }
  | { type: 'photo-edited'; id: string; edit: PictureEdit }
  | { type: 'photo-previewed'; id: string; preview: PicturePreview }
  | { type: 'photo-progress'; id: string; fraction: number }
  | { type: 'photo-ready'; id: string; picture: PreparedPicture }
  | ({ type: 'photo-refused'; id: string } & MediaRefusal)
  | { type: 'photo-described'; id: string; altText: string }
  | { type: 'photo-detail-toggled'; id: string; field: CameraField }
  | { type: 'photo-film-typed'; id: string; film: string }
  | { type: 'photo-moved'; id: string; to: number }
  | { type: 'photo-removed'; id: string }
  /** The stored photos of the draft are loaded. */
  | { type: 'restored'; photos: readonly DraftPhoto[]; isComplete: boolean }
  /** The member has pressed 'Share': the form is locked while its photos are prepared. */
  | { type: 'sharing' }
  /** It goes to the server, or to the outbox. */
  | { type: 'sent' }
  /** The server refused a queued post, and the member wants to edit it. */
  | { type: 'returned'; id: string; post: PostTexts; photos: readonly DraftPhoto[] }
  /** The post with this id is stored: it leaves the form. */
  | { type: 'posted'; id: string }
  /** It waits in the outbox: it leaves the form. */
  | { type: 'queued'; id: string }
  | { type: 'failed'; id: string }
  | { type: 'discarded' }

export function emptyDraft(): ComposerDraft {
  return {
    id: newId(),
    wasSent: false,
    sending: null,
    content: '',
    location: '',
    photos: [],
    problems: [],
  }
}

/** Work that has not started. */
const UNPREPARED: NonNullable<DraftPhoto['work']> = { progress: 0, failure: null }

/** What a photo shows, and its size: the prepared picture, else the preview; null until the file is decoded. */
export function shownPicture({
  preview,
  picture,
  work,
}: Pick<DraftPhoto, 'preview' | 'picture' | 'work'>): PicturePreview | PreparedPicture | null {
  return work === null ? (picture ?? preview) : (preview ?? picture)
}

/** The photos that are not prepared with their edits. */
export function unprepared(photos: readonly DraftPhoto[]): DraftPhoto[] {
  return photos.filter(({ work }) => work !== null)
}

/** A photo that has just been chosen. */
export function newPhoto(
  source: Blob,
  { note, camera = {} }: Pick<DraftPhoto, 'note'> & Partial<Pick<DraftPhoto, 'camera'>>,
): DraftPhoto {
  return {
    id: newId(),
    source,
    edit: UNEDITED,
    altText: '',
    camera,
    shown: [],
    note,
    preview: null,
    picture: null,
    work: UNPREPARED,
  }
}

/** Replaces the photos. Photos of a stored post cannot be changed, so a draft that may be stored becomes a new post. */
function withPhotos(draft: ComposerDraft, photos: readonly DraftPhoto[]): ComposerDraft {
  const changed = { ...draft, photos }
  return draft.wasSent ? { ...changed, id: newId(), wasSent: false } : changed
}

/** Changes a photo, also of the post that is being shared, without making the draft a new post. */
function patched(draft: ComposerDraft, id: string, patch: Partial<DraftPhoto>): ComposerDraft {
  const changed = (photos: readonly DraftPhoto[]) =>
    photos.map((photo) => (photo.id === id ? { ...photo, ...patch } : photo))
  const { sending } = draft
  return {
    ...draft,
    photos: changed(draft.photos),
    sending: sending && { ...sending, photos: changed(sending.photos) },
  }
}

function without(draft: ComposerDraft, id: string): ComposerDraft {
  return withPhotos(
    draft,
    draft.photos.filter((photo) => photo.id !== id),
  )
}

/** Whether the form is empty, so that another post can be edited in it. */
export function isEmptyDraft({ content, location, photos, sending }: ComposerDraft): boolean {
  return content + location === '' && photos.length === 0 && sending === null
}

/** Whether the draft can be shared: it has a text or photos, and each text is within its limit. Photos are prepared then. */
export function canShare({ content, location, photos, sending }: ComposerDraft): boolean {
  return (
    sending === null &&
    photos.every(
      ({ altText, camera }) =>
        !exceeds(altText, TEXT_LIMITS.altText) && !exceeds(camera.film ?? '', TEXT_LIMITS.cameraDetail),
    ) &&
    canPost({ content, location, altText: '' }, photos.length > 0)
  )
}

export function composerReducer(draft: ComposerDraft, event: ComposerEvent): ComposerDraft {
  switch (event.type) {
    case 'typed':
      return { ...draft, [event.field]: event.value }
    case 'photos-added': {
      const { photos, problems } = event
      if (photos.length === 0) return { ...draft, problems }
      // Photos that are opened from outside while a post is being shared belong to the next one.
      const before = draft.sending === null ? draft : { ...draft, wasSent: true }
      return { ...withPhotos(before, [...draft.photos, ...photos]), problems }
    }
    case 'restored': {
      const photos = [...event.photos, ...draft.photos]
      return event.isComplete ? { ...draft, photos } : withPhotos(draft, photos)
    }
    case 'sharing': {
      // Pictures that are prepared again are another post than the one that may be stored.
      const isChanged = draft.photos.some(({ work, picture }) => work !== null && picture !== null)
      const { id, wasSent, content, location, photos } = isChanged ? withPhotos(draft, draft.photos) : draft
      return { ...draft, id, wasSent, problems: [], sending: { id, content, location, photos } }
    }
    case 'sent': {
      const { id, content, location, photos } = draft
      const sending = draft.sending ?? { id, content, location, photos }
      return { ...draft, wasSent: draft.wasSent || id === sending.id, problems: [], sending }
    }
    case 'returned':
      // Keep the id: an attempt whose response was lost may have stored the post.
      return { ...emptyDraft(), ...event.post, id: event.id, wasSent: true, photos: event.photos }
    case 'posted':
    case 'queued':
      return draft.sending?.id === event.id ? remainder(draft, draft.sending) : draft
    case 'failed':
      return draft.sending?.id === event.id ? { ...draft, sending: null } : draft
    case 'discarded':
      return emptyDraft()
    default: {
      const photo = draft.photos.find(({ id }) => id === event.id)
      return photo === undefined ? draft : photoReducer(draft, photo, event)
    }
  }
}

type PhotoEvent = Extract<ComposerEvent, { type: `photo-${string}` }>

function photoReducer(draft: ComposerDraft, photo: DraftPhoto, event: PhotoEvent): ComposerDraft {
  const { id } = photo
  switch (event.type) {
    case 'photo-edited':
      return patched({ ...draft, problems: [] }, id, { edit: event.edit, work: UNPREPARED })
    case 'photo-previewed':
      return patched(draft, id, { preview: event.preview })
    case 'photo-progress':
      return photo.work === null
        ? draft
        : patched(draft, id, { work: { progress: event.fraction, failure: null } })
    case 'photo-ready': {
      const changed = patched(draft, id, { picture: event.picture, work: null })
      return photo.picture === null ? changed : withPhotos(changed, changed.photos)
    }
    case 'photo-refused': {
      const { type: _type, id: _id, ...refusal } = event
      const problem: PhotoProblem = { type: 'refused', name: nameOf(photo.source), ...refusal }
      // A photo that was seen may have an edit and texts, which would be lost.
      const isSeen = photo.preview !== null || photo.picture !== null || draft.sending !== null
      const failed = { work: { progress: 0, failure: event.code } }
      const kept = isSeen ? patched(draft, id, failed) : without(draft, id)
      return { ...kept, problems: [...draft.problems, problem] }
    }
    case 'photo-described':
      return patched(draft, id, { altText: event.altText })
    case 'photo-detail-toggled': {
      const { shown } = photo
      const isShown = shown.includes(event.field)
      const changed = isShown ? shown.filter((field) => field !== event.field) : [...shown, event.field]
      return withPhotos(draft, patched(draft, id, { shown: changed }).photos)
    }
    case 'photo-film-typed': {
      // The film was typed by the member: show it unless it is empty.
      const others = photo.shown.filter((field) => field !== 'film')
      const shown: CameraField[] = trimText(event.film) === '' ? others : [...others, 'film']
      return withPhotos(
        draft,
        patched(draft, id, { camera: { ...photo.camera, film: event.film }, shown }).photos,
      )
    }
    case 'photo-moved': {
      const others = draft.photos.filter((other) => other.id !== id)
      const to = Math.min(Math.max(0, event.to), others.length)
      if (draft.photos[to]?.id === id) return draft
      return withPhotos(draft, [...others.slice(0, to), photo, ...others.slice(to)])
    }
    case 'photo-removed':
      return { ...without(draft, id), problems: [] }
  }
}

/** Returns the next draft: text and photos that were added after the last one was sent. */
function remainder(draft: ComposerDraft, sent: Sending): ComposerDraft {
  const rest = (field: keyof PostTexts) => (draft[field] === sent[field] ? '' : draft[field])
  const sentIds = sent.photos.map(({ id }) => id)
  return {
    ...emptyDraft(),
    ...(draft.id !== sent.id && { id: draft.id, wasSent: draft.wasSent }),
    content: rest('content'),
    location: rest('location'),
    photos: draft.photos.filter(({ id }) => !sentIds.includes(id)),
  }
}

/** Returns the chosen details of a photo, in display order; null for none. */
export function shownCamera({ camera, shown }: Pick<DraftPhoto, 'camera' | 'shown'>): CameraDetails | null {
  const texts = CAMERA_FIELDS.filter((field) => shown.includes(field))
    .map((field) => [field, trimText(camera[field] ?? '')] as const)
    .filter(([, text]) => text !== '')
  return texts.length === 0 ? null : Object.fromEntries(texts)
}

/** Converts the draft to the payload of the outbox. All of its photos are prepared. */
export function postOf({
  content,
  location,
  photos,
}: Omit<Sending, 'id'>): NewPost & { photos: readonly NewPhoto[] } {
  return {
    content,
    location,
    photos: photos.flatMap(({ picture, altText, ...photo }) =>
      picture === null ? [] : [{ picture, altText, camera: shownCamera(photo) }],
    ),
  }
}

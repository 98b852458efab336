import type { NewPhoto, NewPost, NewVideo } from '#/renderer/features/feed'
import { canPost } from '#/renderer/features/post'
import type { CameraField } from '#/renderer/lib/content/camera'
import { exceeds } from '#/renderer/lib/content/rich-text'
import { newId } from '#/renderer/lib/core/uuid'
import {
  type ClipEdit,
  isUnedited,
  type MediaRefusal,
  nameOf,
  type PictureEdit,
  type PicturePreview,
  type PreparedPicture,
  type PreparedPostVideo,
} from '#/renderer/lib/media'
import { TEXT_LIMITS } from '#/shared/limits'
import { trimText } from '#/shared/visible-text'
import type { CaptionsProblem, DraftCaptions } from './captions'
import { type DraftPhoto, sharedPhoto, UNPREPARED } from './draft-photo'
import { type DraftVideo, exceedsCaptions, sharedVideo } from './draft-video'

export type DraftMedium = DraftPhoto | DraftVideo

export function isVideo(medium: DraftMedium): medium is DraftVideo {
  return 'video' in medium
}

/** Why a chosen file is not in the draft. `name` is null for a file without a name. */
export type PhotoProblem =
  | ({ type: 'refused'; name: string | null } & MediaRefusal)
  | { type: 'captions'; name: string; problem: CaptionsProblem }
  | { type: 'too-many'; left: number }

type PostTexts = Pick<NewPost, 'content' | 'location'>

/** The draft as it is sent. */
export interface Sending extends PostTexts {
  id: string
  photos: readonly DraftMedium[]
}

export interface ComposerDraft extends PostTexts {
  /** Generated here, so that a post that is sent again after a lost response is stored once. */
  id: string
  /** Whether it was sent under this id: the server may have stored it. */
  wasSent: boolean
  /** Locks the form until the server answers, even if the member opens other screens meanwhile. */
  sending: Sending | null
  /** Photos and videos in their order, as `NewPost` has them. */
  photos: readonly DraftMedium[]
  /** Problems with the files that were chosen last. */
  problems: readonly PhotoProblem[]
}

export type ComposerEvent =
  | { type: 'typed'; field: keyof PostTexts; value: string }
  | { type: 'photos-added'; photos: readonly DraftMedium[]; problems: readonly PhotoProblem[] }
  /** Of photos and videos. */
  | { type: 'medium-previewed'; id: string; preview: PicturePreview }
  | { type: 'medium-progress'; id: string; fraction: number; secondsLeft?: number | null }
  | ({ type: 'medium-refused'; id: string } & MediaRefusal)
  | { type: 'medium-described'; id: string; altText: string }
  | { type: 'medium-moved'; id: string; to: number }
  | { type: 'medium-removed'; id: string }
  | { type: 'photo-edited'; id: string; edit: PictureEdit }
  | { type: 'photo-ready'; id: string; picture: PreparedPicture }
  | { type: 'photo-detail-toggled'; id: string; field: CameraField }
  | { type: 'photo-film-typed'; id: string; film: string }
  /** The member has chosen a part, a cover or whether it has sound. */
  | { type: 'video-edited'; id: string; edit: ClipEdit }
  | { type: 'video-ready'; id: string; video: PreparedPostVideo }
  /** The member has cancelled its conversion. */
  | { type: 'video-held'; id: string }
  /** The server takes no file of its size: it is to be converted again. */
  | { type: 'video-outgrown'; id: string }
  /** The member has chosen its file again. */
  | { type: 'video-found'; id: string; source: Blob }
  | { type: 'video-captioned'; id: string; captions: DraftCaptions | null }
  | { type: 'captions-refused'; name: string; problem: CaptionsProblem }
  /** The stored photos and videos of the draft are loaded. */
  | { type: 'restored'; photos: readonly DraftMedium[]; isComplete: boolean }
  /** The member has pressed 'Share': the form is locked while its photos are prepared. */
  | { type: 'sharing' }
  /** It goes to the server, or to the outbox. */
  | { type: 'sent' }
  /** The server refused a queued post, and the member wants to edit it. */
  | { type: 'returned'; id: string; post: PostTexts; photos: readonly DraftMedium[] }
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

/** The picture that stands for a photo or video as it would be shared, or with an earlier edit; null until it is prepared for the first time. */
export function preparedStill(
  medium: Pick<DraftPhoto, 'picture'> | Pick<DraftVideo, 'video'>,
): PreparedPicture | null {
  return 'video' in medium ? (medium.video?.cover ?? null) : medium.picture
}

/** What a photo or video shows, and its size: the prepared picture, else the preview; null until the file is decoded. */
export function shownPicture(
  medium: Pick<DraftPhoto, 'preview' | 'picture' | 'work'> | Pick<DraftVideo, 'preview' | 'video' | 'work'>,
): PicturePreview | PreparedPicture | null {
  const { preview, work } = medium
  return work === null ? (preparedStill(medium) ?? preview) : (preview ?? preparedStill(medium))
}

/** The photos and videos that are not prepared with their edits. */
export function unprepared<M extends DraftMedium>(media: readonly M[]): M[] {
  return media.filter(({ work }) => work !== null)
}

/** Replaces the photos. Photos of a stored post cannot be changed, so a draft that may be stored becomes a new post. */
function withPhotos(draft: ComposerDraft, photos: readonly DraftMedium[]): ComposerDraft {
  const changed = { ...draft, photos }
  return draft.wasSent ? { ...changed, id: newId(), wasSent: false } : changed
}

/** Changes a photo or video, also of the post that is being shared, without making the draft a new post. */
function patched(
  draft: ComposerDraft,
  id: string,
  patch: Partial<DraftPhoto> | Partial<DraftVideo>,
): ComposerDraft {
  const changed = (photos: readonly DraftMedium[]) =>
    photos.map((medium) => (medium.id === id ? ({ ...medium, ...patch } as DraftMedium) : medium))
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

/** Whether the draft can be shared: it has a text, photos or videos, and each text is within its limit. Photos and videos are prepared then. */
export function canShare({ content, location, photos, sending }: ComposerDraft): boolean {
  return (
    sending === null &&
    photos.every(
      (medium) =>
        !exceeds(medium.altText, TEXT_LIMITS.altText) &&
        (isVideo(medium) || !exceeds(medium.camera.film ?? '', TEXT_LIMITS.cameraDetail)),
    ) &&
    !exceedsCaptions(photos.filter(isVideo)) &&
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
      const isChanged = unprepared(draft.photos).some((medium) => preparedStill(medium) !== null)
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
    case 'captions-refused': {
      const { name, problem } = event
      return { ...draft, problems: [{ type: 'captions', name, problem }] }
    }
    default: {
      const medium = draft.photos.find(({ id }) => id === event.id)
      if (medium === undefined) return draft
      if (isMediumEvent(event)) return mediumReducer(draft, medium, event)
      if (isVideo(medium)) return isVideoEvent(event) ? videoReducer(draft, medium, event) : draft
      return isVideoEvent(event) ? draft : photoReducer(draft, medium, event)
    }
  }
}

type MediumEvent = Extract<ComposerEvent, { type: `medium-${string}` }>
type PhotoEvent = Extract<ComposerEvent, { type: `photo-${string}` }>
type VideoEvent = Extract<ComposerEvent, { type: `video-${string}` }>

function isMediumEvent(event: ComposerEvent): event is MediumEvent {
  return event.type.startsWith('medium-')
}

function isVideoEvent(event: ComposerEvent): event is VideoEvent {
  return event.type.startsWith('video-')
}

function mediumReducer(draft: ComposerDraft, medium: DraftMedium, event: MediumEvent): ComposerDraft {
  const { id } = medium
  switch (event.type) {
    case 'medium-previewed':
      return patched(draft, id, { preview: event.preview })
    case 'medium-progress': {
      const { fraction: progress, secondsLeft } = event
      const work = { progress, failure: null, ...(secondsLeft !== undefined && { secondsLeft }) }
      return medium.work === null ? draft : patched(draft, id, { work })
    }
    case 'medium-refused': {
      const { type: _type, id: _id, ...refusal } = event
      const name = isVideo(medium) ? medium.name || null : nameOf(medium.source)
      const problem: PhotoProblem = { type: 'refused', name, ...refusal }
      // One that was seen, in an earlier run too, may have an edit and texts, which would be lost.
      const hasInput = isVideo(medium) || medium.altText !== '' || !isUnedited(medium.edit)
      const isSeen = hasInput || shownPicture(medium) !== null || draft.sending !== null
      const failed = { work: { progress: 0, failure: event.code } }
      const kept = isSeen ? patched(draft, id, failed) : without(draft, id)
      return { ...kept, problems: [...draft.problems, problem] }
    }
    case 'medium-described':
      return patched(draft, id, { altText: event.altText })
    case 'medium-moved': {
      const others = draft.photos.filter((other) => other.id !== id)
      const to = Math.min(Math.max(0, event.to), others.length)
      if (draft.photos[to]?.id === id) return draft
      return withPhotos(draft, [...others.slice(0, to), medium, ...others.slice(to)])
    }
    case 'medium-removed':
      return { ...without(draft, id), problems: [] }
  }
}

/** The draft with a photo or video as it is prepared now: another post than one that has an earlier version. */
function withPrepared(
  draft: ComposerDraft,
  medium: DraftMedium,
  patch: Pick<DraftPhoto, 'picture'> | Pick<DraftVideo, 'video'>,
): ComposerDraft {
  const changed = patched(draft, medium.id, { ...patch, work: null })
  return preparedStill(medium) === null ? changed : withPhotos(changed, changed.photos)
}

function photoReducer(draft: ComposerDraft, photo: DraftPhoto, event: PhotoEvent): ComposerDraft {
  const { id } = photo
  switch (event.type) {
    case 'photo-edited':
      return patched({ ...draft, problems: [] }, id, { edit: event.edit, work: UNPREPARED })
    case 'photo-ready':
      return withPrepared(draft, photo, { picture: event.picture })
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
  }
}

function videoReducer(draft: ComposerDraft, video: DraftVideo, event: VideoEvent): ComposerDraft {
  const { id } = video
  const solved = { ...draft, problems: [] }
  switch (event.type) {
    case 'video-edited':
      return patched(solved, id, { edit: event.edit, isHeld: false, work: UNPREPARED })
    case 'video-ready':
      return withPrepared(draft, video, { video: event.video })
    case 'video-held':
      return video.work === null ? draft : patched(draft, id, { isHeld: true, work: UNPREPARED })
    case 'video-outgrown':
      return patched(draft, id, { isHeld: true, work: UNPREPARED })
    case 'video-found':
      return patched(solved, id, { source: event.source, work: video.work && UNPREPARED })
    case 'video-captioned':
      return withPhotos(solved, patched(draft, id, { captions: event.captions }).photos)
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

function sharedMedium(medium: DraftMedium): NewPhoto | NewVideo | null {
  return isVideo(medium) ? sharedVideo(medium) : sharedPhoto(medium)
}

/** Converts the draft to the payload of the outbox. All of its photos and videos are prepared. */
export function postOf({ content, location, photos }: Omit<Sending, 'id'>): NewPost {
  return {
    content,
    location,
    photos: photos.map(sharedMedium).filter((medium) => medium !== null),
  }
}

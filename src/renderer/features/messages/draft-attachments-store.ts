import { useEffect } from 'react'
import { create } from 'zustand'
import { logFailure } from '#/renderer/lib/core/logger'
import type { MediaErrorCode } from '#/renderer/lib/media'
import {
  hasPhotos,
  loadAttachments,
  onAttachmentsChange,
  removeAttachments,
  type StoredAttachments,
  saveAttachments,
} from './attachments-store'
import { draftKey, isForgotten, isOwnKey, onOwnerChange, touchDraft, useDraftKey } from './drafts-store'
import type { OutgoingPhoto } from './message'

/** The state of the chosen photo. */
export type DraftPhoto =
  | { state: 'none' }
  /** `preview` is a small version, once there is one. */
  | { state: 'working'; progress: number; preview: Blob | null }
  | { state: 'ready'; photo: OutgoingPhoto }
  | { state: 'refused'; code: MediaErrorCode; name: string | null }

/** The photo and reply of a draft. */
export interface DraftAttachments {
  /** The message that it replies to. */
  replyToId: string | null
  photo: DraftPhoto
}

const NOTHING: DraftAttachments = { replyToId: null, photo: { state: 'none' } }

/** By the draft's key. */
const useAttachmentsStore = create<Readonly<Record<string, DraftAttachments>>>(() => ({}))
onOwnerChange(() => useAttachmentsStore.setState({}, true))

/** How often a draft was cleared, by its key: an earlier read from disk is outdated then. */
const emptied = new Map<string, number>()

const log = (cause: unknown) => logFailure('keep draft', cause)

function toPhoto(photo: OutgoingPhoto | null): DraftPhoto {
  return photo === null ? { state: 'none' } : { state: 'ready', photo }
}

/** Stores the attachments for the next start. */
function keep(key: string): void {
  if (isForgotten(key)) return
  const { replyToId, photo } = getAttachments(key)
  const kept = { replyToId, photo: photo.state === 'ready' ? photo.photo : null }
  const isNothing = kept.replyToId === null && kept.photo === null
  saveAttachments(key, isNothing ? null : kept).catch(log)
  touchDraft(key)
}

/** Loads the stored attachments of a draft. */
export async function openDraftAttachments(key: string): Promise<void> {
  const before = emptied.get(key)
  const kept = await loadAttachments(key)
  if (kept === null || !isOwnKey(key) || emptied.get(key) !== before) return
  const { replyToId, photo } = getAttachments(key)
  useAttachmentsStore.setState({
    [key]: {
      replyToId: replyToId ?? kept.replyToId,
      photo: photo.state === 'none' ? toPhoto(kept.photo) : photo,
    },
  })
}

let isFollowing = false

/** Applies the changes of other windows. */
function followOthers(): void {
  if (isFollowing) return
  isFollowing = true
  onAttachmentsChange((key) => {
    if (!(key in useAttachmentsStore.getState())) return
    loadAttachments(key)
      .then((kept) => {
        const { photo } = getAttachments(key)
        if (!isOwnKey(key) || photo.state === 'working') return
        useAttachmentsStore.setState({
          [key]: { replyToId: kept?.replyToId ?? null, photo: toPhoto(kept?.photo ?? null) },
        })
      })
      .catch(log)
  })
}

/** The attachments of a draft; loads them on first use. */
export function useDraftAttachments(conversationId: string): DraftAttachments {
  const key = useDraftKey(conversationId)
  useEffect(() => {
    if (!isOwnKey(key)) return
    useAttachmentsStore.setState((state) => ({ [key]: state[key] ?? NOTHING }))
    followOthers()
    openDraftAttachments(key).catch(log)
  }, [key])
  return useAttachmentsStore((state) => state[key] ?? NOTHING)
}

function getAttachments(key: string): DraftAttachments {
  return useAttachmentsStore.getState()[key] ?? NOTHING
}

export function getDraftAttachments(conversationId: string): DraftAttachments {
  return getAttachments(draftKey(conversationId))
}

export function setDraftAttachments(conversationId: string, extras: Partial<DraftAttachments>): void {
  const key = draftKey(conversationId)
  const before = getAttachments(key)
  const after = { ...before, ...extras }
  useAttachmentsStore.setState({ [key]: after })
  // Progress is not stored.
  if (before.photo.state !== 'working' || after.photo.state !== 'working') keep(key)
}

export function clearDraftAttachments(key: string): void {
  const { replyToId, photo } = getAttachments(key)
  emptied.set(key, (emptied.get(key) ?? 0) + 1)
  useAttachmentsStore.setState({ [key]: NOTHING })
  if (replyToId !== null || photo.state !== 'none') keep(key)
}

/** Restores the attachments of a message that was not sent. */
export function restoreDraftAttachments(key: string, lost: StoredAttachments): void {
  const { replyToId, photo } = getAttachments(key)
  useAttachmentsStore.setState({
    [key]: {
      replyToId: lost.replyToId ?? replyToId,
      photo: lost.photo === null ? photo : { state: 'ready', photo: lost.photo },
    },
  })
  keep(key)
}

/** Whether a draft of a member has a photo. */
export async function hasDraftPhotos(keyPrefix: string): Promise<boolean> {
  const inMemory = Object.entries(useAttachmentsStore.getState())
  const isChosen = ([key, { photo }]: [string, DraftAttachments]) =>
    key.startsWith(keyPrefix) && (photo.state === 'ready' || photo.state === 'working')
  return inMemory.some(isChosen) || hasPhotos(keyPrefix)
}

/** Removes the stored attachments of a member. */
export function removeMemberAttachments(keyPrefix: string): Promise<void> {
  return removeAttachments(keyPrefix).catch(log)
}

import { useEffect } from 'react'
import { create } from 'zustand'
import { logFailure } from '#/renderer/lib/logger'
import type { MediaErrorCode } from '#/renderer/lib/media'
import { draftKey, isForgotten, isHere, onPlaceChange, useDraftKey } from './drafts'
import { type KeptExtras, loadExtras, onExtrasChange, removeExtras, saveExtras } from './extras-store'
import type { OutgoingPhoto } from './new-message'

/** What has become of the photo that was chosen. */
export type DraftPhoto =
  | { state: 'none' }
  | { state: 'working'; progress: number }
  | { state: 'ready'; photo: OutgoingPhoto }
  | { state: 'refused'; code: MediaErrorCode }

/** What goes with the text of a begun message; kept as long as the same member is signed in. */
export interface DraftExtras {
  /** The message that this one answers. */
  replyToId: string | null
  photo: DraftPhoto
}

const NOTHING: DraftExtras = { replyToId: null, photo: { state: 'none' } }

/** By the key of the draft they belong to. */
const useExtrasStore = create<Readonly<Record<string, DraftExtras>>>(() => ({}))
onPlaceChange(() => useExtrasStore.setState({}, true))

/** How often the field was emptied, by the same key: what was read from disk before that is no longer in it. */
const emptied = new Map<string, number>()

const log = (cause: unknown) => logFailure('keep draft', cause)

function toPhoto(photo: OutgoingPhoto | null): DraftPhoto {
  return photo === null ? { state: 'none' } : { state: 'ready', photo }
}

/** Stores what is in the field, for the next start of the app. */
function keep(key: string): void {
  if (isForgotten(key)) return
  const { replyToId, photo } = getExtras(key)
  const kept = { replyToId, photo: photo.state === 'ready' ? photo.photo : null }
  const isNothing = kept.replyToId === null && kept.photo === null
  saveExtras(key, isNothing ? null : kept).catch(log)
}

/** Brings what was kept for a draft. */
export async function openDraftExtras(key: string): Promise<void> {
  const before = emptied.get(key)
  const kept = await loadExtras(key)
  if (kept === null || !isHere(key) || emptied.get(key) !== before) return
  const { replyToId, photo } = getExtras(key)
  useExtrasStore.setState({
    [key]: {
      replyToId: replyToId ?? kept.replyToId,
      photo: photo.state === 'none' ? toPhoto(kept.photo) : photo,
    },
  })
}

let isFollowing = false

/** Takes over what another window chose, removed or sent. */
function followOthers(): void {
  if (isFollowing) return
  isFollowing = true
  onExtrasChange((key) => {
    if (!(key in useExtrasStore.getState())) return
    loadExtras(key)
      .then((kept) => {
        const { photo } = getExtras(key)
        if (!isHere(key) || photo.state === 'working') return
        useExtrasStore.setState({
          [key]: { replyToId: kept?.replyToId ?? null, photo: toPhoto(kept?.photo ?? null) },
        })
      })
      .catch(log)
  })
}

/** What goes with the text of a conversation's draft, brought from disk when it is first asked for. */
export function useDraftExtras(conversationId: string): DraftExtras {
  const key = useDraftKey(conversationId)
  useEffect(() => {
    if (!isHere(key)) return
    useExtrasStore.setState((state) => ({ [key]: state[key] ?? NOTHING }))
    followOthers()
    openDraftExtras(key).catch(log)
  }, [key])
  return useExtrasStore((state) => state[key] ?? NOTHING)
}

function getExtras(key: string): DraftExtras {
  return useExtrasStore.getState()[key] ?? NOTHING
}

export function getDraftExtras(conversationId: string): DraftExtras {
  return getExtras(draftKey(conversationId))
}

export function setDraftExtras(conversationId: string, extras: Partial<DraftExtras>): void {
  const key = draftKey(conversationId)
  const before = getExtras(key)
  const after = { ...before, ...extras }
  useExtrasStore.setState({ [key]: after })
  // Progress is nothing to keep.
  if (before.photo.state !== 'working' || after.photo.state !== 'working') keep(key)
}

/** Empties the field. */
export function clearDraftExtras(key: string): void {
  const { replyToId, photo } = getExtras(key)
  emptied.set(key, (emptied.get(key) ?? 0) + 1)
  useExtrasStore.setState({ [key]: NOTHING })
  if (replyToId !== null || photo.state !== 'none') keep(key)
}

/** Gives back what went with a message that could not be sent. A photo is not chosen while another is sent. */
export function restoreDraftExtras(key: string, lost: KeptExtras): void {
  const { replyToId, photo } = getExtras(key)
  useExtrasStore.setState({
    [key]: {
      replyToId: lost.replyToId ?? replyToId,
      photo: lost.photo === null ? photo : { state: 'ready', photo: lost.photo },
    },
  })
  keep(key)
}

/** Removes all photos and answers of a place: who chose them has signed out, or is gone. */
export function forgetDraftExtras(place: string): Promise<void> {
  return removeExtras(place).catch(log)
}

import { create } from 'zustand'
import type { MediaErrorCode } from '#/renderer/lib/media'
import { draftKey, onPlaceChange, useDraftKey } from './drafts'
import type { OutgoingPhoto } from './outbox'

/** What has become of the photo that was chosen. */
export type DraftPhoto =
  | { state: 'none' }
  | { state: 'working'; progress: number }
  | { state: 'ready'; photo: OutgoingPhoto }
  | { state: 'refused'; code: MediaErrorCode }

/** What goes with the text of a begun message. It stays while the window is open and the same member in it. */
export interface DraftExtras {
  /** The message that this one answers. */
  replyToId: string | null
  photo: DraftPhoto
}

const NOTHING: DraftExtras = { replyToId: null, photo: { state: 'none' } }

/** By the key of the draft they belong to. */
const useExtrasStore = create<Readonly<Record<string, DraftExtras>>>(() => ({}))
onPlaceChange(() => useExtrasStore.setState({}, true))

export function useDraftExtras(conversationId: string): DraftExtras {
  const key = useDraftKey(conversationId)
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
  useExtrasStore.setState({ [key]: { ...getExtras(key), ...extras } })
}

export function clearDraftExtras(key: string): void {
  useExtrasStore.setState({ [key]: NOTHING })
}

/** Gives back what went with a message that could not be sent. A photo is not chosen while another is sent. */
export function restoreDraftExtras(
  key: string,
  lost: { replyToId: string | null; photo: OutgoingPhoto | null },
): void {
  const { replyToId, photo } = getExtras(key)
  useExtrasStore.setState({
    [key]: {
      replyToId: lost.replyToId ?? replyToId,
      photo: lost.photo === null ? photo : { state: 'ready', photo: lost.photo },
    },
  })
}

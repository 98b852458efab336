import { create } from 'zustand'
import type { MediaErrorCode } from '#/renderer/lib/media'
import type { OutgoingPhoto } from './outbox'

/** What has become of the photo that was chosen. */
export type DraftPhoto =
  | { state: 'none' }
  | { state: 'working'; progress: number }
  | { state: 'ready'; photo: OutgoingPhoto }
  | { state: 'refused'; code: MediaErrorCode }

/** What goes with the text of a begun message. It stays while the window is open. */
export interface DraftExtras {
  /** The message that this one answers. */
  replyToId: string | null
  photo: DraftPhoto
}

const NOTHING: DraftExtras = { replyToId: null, photo: { state: 'none' } }

/** By conversation: ids are nobody else's, so that members of this window cannot mix. */
const useExtrasStore = create<Readonly<Record<string, DraftExtras>>>(() => ({}))

export function useDraftExtras(conversationId: string): DraftExtras {
  return useExtrasStore((state) => state[conversationId] ?? NOTHING)
}

export function getDraftExtras(conversationId: string): DraftExtras {
  return useExtrasStore.getState()[conversationId] ?? NOTHING
}

export function setDraftExtras(conversationId: string, extras: Partial<DraftExtras>): void {
  useExtrasStore.setState({ [conversationId]: { ...getDraftExtras(conversationId), ...extras } })
}

export function clearDraftExtras(conversationId: string): void {
  setDraftExtras(conversationId, NOTHING)
}

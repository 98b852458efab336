import { create, type StoreApi } from 'zustand'

interface Held {
  id: string | null
}

/** The open conversation while the window is in front; null otherwise. */
const useActiveConversation = create<Held>(() => ({ id: null }))

/** The group that is on screen, also while the window is not in front; null otherwise. */
export const useOpenGroup = create<Held>(() => ({ id: null }))

/** Marks a group as the one on screen until the returned function is called. */
export function setOpenGroup(id: string): () => void {
  return hold(useOpenGroup, id)
}

/** Marks a conversation as active until the returned function is called. */
export function setActiveConversation(id: string): () => void {
  return hold(useActiveConversation, id)
}

/** Until the returned function is called, or another id is held. */
function hold(store: StoreApi<Held>, id: string): () => void {
  store.setState({ id })
  return () => {
    if (store.getState().id === id) store.setState({ id: null })
  }
}

/** Whether the member is looking at this conversation: new messages in it do not count as unread. */
export function isActive(conversationId: string): boolean {
  return useActiveConversation.getState().id === conversationId
}

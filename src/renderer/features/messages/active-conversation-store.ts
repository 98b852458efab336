import { create } from 'zustand'

/** The open conversation while the window is in front; null otherwise. */
const useActiveConversation = create<{ id: string | null }>(() => ({ id: null }))

/** The group that is on screen, also while the window is not in front; null otherwise. */
export const useOpenGroup = create<{ id: string | null }>(() => ({ id: null }))

/** Marks a group as the one on screen until the returned function is called. */
export function setOpenGroup(id: string): () => void {
  useOpenGroup.setState({ id })
  return () => {
    if (useOpenGroup.getState().id === id) useOpenGroup.setState({ id: null })
  }
}

/** Marks a conversation as active until the returned function is called. */
export function setActiveConversation(id: string): () => void {
  useActiveConversation.setState({ id })
  return () => {
    if (isActive(id)) useActiveConversation.setState({ id: null })
  }
}

/** Whether the member is looking at this conversation: new messages in it do not count as unread. */
export function isActive(conversationId: string): boolean {
  return useActiveConversation.getState().id === conversationId
}

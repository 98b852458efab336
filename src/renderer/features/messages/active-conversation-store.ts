import { create } from 'zustand'

/** The open conversation while the window is in front; null otherwise. */
const useActiveConversation = create<{ id: string | null }>(() => ({ id: null }))

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

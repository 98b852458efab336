import { useLocation, useNavigate } from 'react-router-dom'

/** Where the address says which conversation is open (`/messages?c=ID`). */
const PARAMETER = 'c'

/** The page of a conversation. */
export function conversationPath(id: string): string {
  return `/messages?${new URLSearchParams({ [PARAMETER]: id })}`
}

/** What goes along with a history entry that was come to from the list. */
export const FROM_LIST = { from: 'list' } as const

function isFromList(state: unknown): boolean {
  return typeof state === 'object' && state !== null && 'from' in state && state.from === FROM_LIST.from
}

/** What goes along when the address named a conversation that one cannot see. */
export const NOT_HERE = 'not-here'

/** The open conversation, null for none, and the way back to the list. */
export function useOpenConversation(): { id: string | null; close: () => void } {
  const { search, state } = useLocation()
  const navigate = useNavigate()
  return {
    id: new URLSearchParams(search).get(PARAMETER),
    close: () => void (isFromList(state) ? navigate(-1) : navigate('/messages', { replace: true })),
  }
}

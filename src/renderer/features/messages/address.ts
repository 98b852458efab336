import { useLocation, useNavigate } from 'react-router-dom'

/** The URL parameter of the open conversation (`/messages?c=ID`). */
const PARAMETER = 'c'

export function conversationPath(id: string): string {
  return `/messages?${new URLSearchParams({ [PARAMETER]: id })}`
}

/** State of a history entry that was opened from the list. */
export const FROM_LIST = { from: 'list' } as const

function isFromList(state: unknown): boolean {
  return typeof state === 'object' && state !== null && 'from' in state && state.from === FROM_LIST.from
}

/** State of a redirect from a conversation that does not exist or is hidden. */
export const NOT_HERE = 'not-here'

/** The open conversation or null, and a function that returns to the list. */
export function useOpenConversation(): { id: string | null; close: () => void } {
  const { search, state } = useLocation()
  const navigate = useNavigate()
  return {
    id: new URLSearchParams(search).get(PARAMETER),
    close: () => void (isFromList(state) ? navigate(-1) : navigate('/messages', { replace: true })),
  }
}

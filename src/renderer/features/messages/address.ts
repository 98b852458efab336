import { useLocation, useNavigate } from 'react-router-dom'
import { FOLDERS, type Folder } from './model/folders'

/** The URL parameter of the open conversation (`/messages?c=ID`). */
const PARAMETER = 'c'

/** The list of a folder: `/messages`, `/messages?requests` or `/messages?archived`. */
export function folderPath(folder: Folder): string {
  return folder === 'inbox' ? '/messages' : `/messages?${folder}`
}

export function conversationPath(id: string, folder: Folder = 'inbox'): string {
  const query = new URLSearchParams({ [PARAMETER]: id })
  return folder === 'inbox' ? `/messages?${query}` : `${folderPath(folder)}&${query}`
}

/** The URL parameter of a message to scroll to. */
const MESSAGE_PARAMETER = 'message'

/** The URL of a message in its conversation. */
export function messagePath(conversationId: string, messageId: string): string {
  return `/messages?${new URLSearchParams({ [PARAMETER]: conversationId, [MESSAGE_PARAMETER]: messageId })}`
}

/** The message that the URL names, and a key that changes with each visit of the URL. */
export function useWantedMessage(): { id: string | null; visit: string } {
  const { search, key } = useLocation()
  return { id: new URLSearchParams(search).get(MESSAGE_PARAMETER), visit: key }
}

/** State of a history entry that was opened from the list. */
export const FROM_LIST = { from: 'list' } as const

function isFromList(state: unknown): boolean {
  return typeof state === 'object' && state !== null && 'from' in state && state.from === FROM_LIST.from
}

/** State of a redirect from a conversation that does not exist or is hidden. */
export const NOT_HERE = 'not-here'

interface OpenPlace {
  /** The folder in the list. */
  folder: Folder
  /** The open conversation, or null. */
  id: string | null
  /** Returns to the list. */
  close: () => void
  /** Shows another folder in the list, with the same conversation open. */
  showFolder: (folder: Folder) => void
}

/** The same place with another folder in the list. */
function inFolder(search: string, folder: Folder): string {
  const query = new URLSearchParams(search)
  for (const each of FOLDERS) query.delete(each)
  return folder === 'inbox' ? `/messages?${query}` : `${folderPath(folder)}&${query}`
}

/** The shown folder and conversation. */
export function useOpenConversation(): OpenPlace {
  const { search, state } = useLocation()
  const navigate = useNavigate()
  const query = new URLSearchParams(search)
  const folder = FOLDERS.find((each) => query.has(each)) ?? 'inbox'
  return {
    folder,
    id: query.get(PARAMETER),
    showFolder: (other) => void navigate(inFolder(search, other), { replace: true, state }),
    close: () => void (isFromList(state) ? navigate(-1) : navigate(folderPath(folder), { replace: true })),
  }
}

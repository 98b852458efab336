/** The lists of conversations: the inbox, requests of strangers, and archived conversations. */
export const FOLDERS = ['inbox', 'requests', 'archived'] as const
export type Folder = (typeof FOLDERS)[number]

/** Where a member lists a conversation; `none`: nowhere, because they deleted it, or the other member started it. */
export type FolderOrNone = Folder | 'none'

export function toFolderOrNone(folder: string | undefined): FolderOrNone {
  return FOLDERS.find((each) => each === folder) ?? 'none'
}

interface Pinnable {
  isPinned: boolean
}

/** Pinned conversations first, otherwise in the same order. */
export function pinnedFirst<C extends Pinnable>(conversations: readonly C[]): C[] {
  return [
    ...conversations.filter(({ isPinned }) => isPinned),
    ...conversations.filter(({ isPinned }) => !isPinned),
  ]
}

import { Archive, ChevronRight, Inbox } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import { texts } from '#/renderer/lib/texts'
import { folderPath } from '../address'
import type { Folder } from '../model/folders'
import { useFoldersQuery } from '../queries/folders'

/** Links to the requests and the archived conversations, if there are any. */
export function FolderLinks() {
  const { requests, archived } = useFoldersQuery()
  if (requests === 0 && archived === 0) return null
  return (
    <nav aria-label={texts.messages.folders} className="shrink-0 pb-1">
      {requests > 0 && (
        <FolderLink folder="requests" icon={<Inbox />} isStrong>
          {texts.messages.requestsEntry(requests)}
        </FolderLink>
      )}
      {archived > 0 && (
        <FolderLink folder="archived" icon={<Archive />}>
          {texts.messages.archivedEntry}
        </FolderLink>
      )}
    </nav>
  )
}

interface FolderLinkProps {
  folder: Folder
  icon: ReactNode
  isStrong?: boolean
  children: string
}

function FolderLink({ folder, icon, isStrong = false, children }: FolderLinkProps) {
  return (
    <Link
      to={folderPath(folder)}
      className="flex h-10 items-center gap-3 px-4.5 text-[14.5px] -outline-offset-2 hover:bg-sunk [&_svg]:size-4.5 [&_svg]:stroke-[1.75] [&_svg]:text-quiet"
    >
      <span aria-hidden="true" className="grid w-11.5 shrink-0 place-items-center">
        {icon}
      </span>
      <span className={`me-auto ${isStrong ? 'font-semibold' : ''}`}>{children}</span>
      <ChevronRight aria-hidden="true" className="rtl:-scale-x-100" />
    </Link>
  )
}

import { UserPlus } from 'lucide-react'
import { Button } from '#/renderer/components/Button'
import { PersonRow } from '#/renderer/features/people'
import { lazyPart } from '#/renderer/lib/browser/lazy-component'
import { useServerInfo } from '#/renderer/lib/core/server-info'
import { texts } from '#/renderer/lib/texts'
import type { loadAnotherMember } from '../queries'

const words = texts.firstHour
// With the code that draws QR codes.
const Invitation = lazyPart(() => import('./Invitation'), 'Invitation')

interface AloneProps {
  /** Who has joined meanwhile; null while nobody has. */
  another: Awaited<ReturnType<typeof loadAnotherMember>>
  onClose: () => void
}

/** What the first member of a server can do, and who has joined. */
export function Alone({ another, onClose }: AloneProps) {
  const server = useServerInfo((state) => state.server)
  return (
    <>
      <p role="status" className="sr-only">
        {another !== null && words.joinedTitle(another.username)}
      </p>
      {another === null ? (
        <>
          <h2 className="font-display text-[22px] leading-tight">{words.aloneTitle}</h2>
          <p className="mt-1 text-quiet">{words.aloneBody}</p>
          {server !== null &&
            (server.kind === 'embedded' ? (
              <p className="mt-3 text-quiet">{words.aloneHere}</p>
            ) : (
              <Invitation address={server} />
            ))}
          <p className="mt-3 text-quiet">{words.announced}</p>
        </>
      ) : (
        <>
          <h2 className="flex items-center gap-2.5 font-display text-[22px] leading-tight">
            <UserPlus aria-hidden="true" className="size-5.5 shrink-0 text-quiet" />
            {words.joinedTitle(another.username)}
          </h2>
          <p className="mt-1 mb-2 text-quiet">{words.joinedBody}</p>
          <ul className="-mx-6">
            <PersonRow person={another} />
          </ul>
        </>
      )}
      <div className="mt-5 flex justify-end">
        <Button variant={another === null ? 'secondary' : 'primary'} onClick={onClose}>
          {words.close}
        </Button>
      </div>
    </>
  )
}

import { type RefObject, useRef } from 'react'
import { Link } from 'react-router-dom'
import { Avatar } from '#/renderer/components/Avatar'
import { Button } from '#/renderer/components/Button'
import { OWN_DIRECTION } from '#/renderer/components/clipped-text'
import { ListEnd } from '#/renderer/components/ListEnd'
import { RichText } from '#/renderer/components/RichText'
import { SpinnerOrRetry } from '#/renderer/components/SpinnerOrRetry'
import { openSafetyDialog, useMute } from '#/renderer/features/safety'
import { texts } from '#/renderer/lib/texts'
import type { Correspondent } from '../model/conversation'
import type { PhotoMessage } from '../model/photos'
import { useBioQuery } from '../queries/conversations'
import { useSharedPhotosQuery } from '../queries/photos'
import { SharedPhoto } from './MessagePhoto'
import { MessageSearch } from './MessageSearch'

interface DetailsPaneProps {
  conversationId: string
  member: Correspondent
}

/** Beside a conversation in wide windows: the other member, a search, and the shared photos (FEED-21). */
export function DetailsPane({ conversationId, member }: DetailsPaneProps) {
  const { data: bio } = useBioQuery(member.id)
  const { isMuted, toggle } = useMute(member)
  const scroller = useRef<HTMLElement>(null)
  return (
    <aside
      ref={scroller}
      aria-label={texts.messages.details}
      className="flex min-h-0 w-80 flex-col overflow-y-auto border-line border-s"
    >
      <div className="grid shrink-0 justify-items-center gap-1 px-4.5 pt-7 pb-5 text-center">
        <Avatar member={member} size={88} />
        <h3 className="mt-3 max-w-full truncate font-display text-[22px] leading-tight">
          <Link to={`/profile/${member.username}`} className="rounded-sm underline-offset-3 hover:underline">
            {member.username}
          </Link>
        </h3>
        <p dir="auto" className="max-w-full truncate text-[14px] text-quiet">
          {member.full_name}
        </p>
        {bio != null && bio !== '' && (
          <p className={`wrap-anywhere line-clamp-6 mt-2 text-[14px] ${OWN_DIRECTION}`}>
            <RichText text={bio} />
          </p>
        )}
        <div className="mt-3 flex gap-2">
          <Button onClick={toggle}>{isMuted ? texts.safety.unmute : texts.safety.mute}</Button>
          <Button variant="quiet" onClick={() => openSafetyDialog({ kind: 'block', member })}>
            {texts.safety.block}
          </Button>
        </div>
      </div>
      <MessageSearch conversationId={conversationId}>
        <SharedPhotos conversationId={conversationId} otherName={member.username} scroller={scroller} />
      </MessageSearch>
    </aside>
  )
}

interface SharedPhotosProps {
  conversationId: string
  otherName: string
  /** What scrolls the photos. */
  scroller: RefObject<HTMLElement | null>
}

const NONE: PhotoMessage[] = []

/** The photos of the conversation, newest first, as small squares; older ones are loaded page by page. */
function SharedPhotos({ conversationId, otherName, scroller }: SharedPhotosProps) {
  const query = useSharedPhotosQuery(conversationId)
  const { data: photos = NONE, isPending, isLoadingError, hasNextPage, refetch } = query
  const isEmpty = !isPending && !isLoadingError && !hasNextPage && photos.length === 0
  return (
    <section aria-label={texts.messages.sharedPhotos} className="px-4.5 pb-5">
      <h4 className="mb-2 font-semibold text-[14px]">{texts.messages.sharedPhotos}</h4>
      {(isPending || isLoadingError) && (
        <div className="grid h-14 place-items-center">
          <SpinnerOrRetry hasFailed={isLoadingError} onRetry={refetch} size={18} />
        </div>
      )}
      {isEmpty && <p className="text-[14px] text-quiet">{texts.messages.noSharedPhotos}</p>}
      <ul className="grid grid-cols-3 gap-1.5">
        {photos.map((message) => (
          <li key={message.id} className="aspect-square">
            <SharedPhoto message={message} otherName={otherName} />
          </li>
        ))}
        <ListEnd query={query} scroller={scroller} label={texts.messages.morePhotos} />
      </ul>
    </section>
  )
}

import { Clock3, Plus } from 'lucide-react'
import { Avatar, type AvatarMember } from '#/renderer/components/Avatar'
import { useMe } from '#/renderer/features/auth'
import { texts } from '#/renderer/lib/texts'

/** Side of the picture in a bubble, in pixels. */
const PICTURE = 50

interface RingedAvatarProps {
  member: AvatarMember
  /** `none` without a story. */
  ring: 'unseen' | 'seen' | 'none'
}

/** The rings for unseen and seen differ in width too, not in colour alone. */
function RingedAvatar({ member, ring }: RingedAvatarProps) {
  const ringClass = {
    unseen: 'story-ring p-[3px]',
    seen: 'border-2 border-transparent bg-edge bg-clip-padding p-px forced-colors:border-[Canvas]',
    none: 'p-[3px]',
  }[ring]
  return (
    <span
      className={`mx-auto block w-fit rounded-full transition-transform duration-150 group-active:scale-96 ${ringClass}`}
    >
      <span className="block rounded-full bg-paper p-[2px]">
        <Avatar member={member} size={PICTURE} />
      </span>
    </span>
  )
}

interface BubbleProps {
  member: AvatarMember
  isSeen: boolean
  isOwn?: boolean
  /** The member has stories that are not on the server yet. */
  hasPending?: boolean
  /** Tab reaches one bubble of the strip, arrow keys the others. */
  isTabStop: boolean
  onOpen: () => void
  /** The member points at it or focuses it. */
  onPreload: () => void
}

/** A member with stories. */
export function Bubble({
  member,
  isSeen,
  isOwn = false,
  hasPending = false,
  isTabStop,
  onOpen,
  onPreload,
}: BubbleProps) {
  const state = isSeen ? texts.strip.seen : texts.strip.unseen
  return (
    <button
      type="button"
      data-bubble=""
      tabIndex={isTabStop ? 0 : -1}
      aria-description={hasPending ? texts.strip.pending : isOwn ? undefined : state}
      onClick={onOpen}
      onPointerEnter={onPreload}
      onFocus={onPreload}
      className="group relative block w-16 rounded-md text-center"
    >
      <RingedAvatar member={member} ring={isSeen ? 'seen' : 'unseen'} />
      {hasPending && <PendingBadge />}
      <span
        className={`mt-1 block truncate text-[12.5px] ${isSeen ? 'text-quiet' : 'font-semibold text-ink'}`}
      >
        {isOwn ? texts.strip.yours : member.username}
        {isOwn && <span className="sr-only"> {member.username}</span>}
      </span>
    </button>
  )
}

interface EmptyOwnBubbleProps extends Pick<BubbleProps, 'isTabStop' | 'hasPending'> {
  onAdd: () => void
}

/** The member's own bubble without a story: it opens the form. */
export function EmptyOwnBubble({ isTabStop, hasPending = false, onAdd }: EmptyOwnBubbleProps) {
  const { profile } = useMe()
  return (
    <div className="relative w-16 text-center">
      <button
        type="button"
        data-bubble=""
        tabIndex={isTabStop ? 0 : -1}
        aria-label={texts.strip.add}
        aria-description={hasPending ? texts.strip.pending : undefined}
        title={texts.strip.add}
        onClick={onAdd}
        className="group relative block w-full rounded-full"
      >
        <RingedAvatar member={profile} ring="none" />
        {hasPending && <PendingBadge />}
        <PlusBadge />
      </button>
      <p className="mt-1 truncate text-[12.5px] text-quiet">{texts.strip.yours}</p>
    </div>
  )
}

/** Adds another story, on the member's own bubble. */
export function AddButton({ onAdd }: { onAdd: () => void }) {
  return (
    <button
      type="button"
      aria-label={texts.strip.add}
      title={texts.strip.add}
      onClick={onAdd}
      className="absolute end-0 top-9 size-6 rounded-full"
    >
      <PlusBadge />
    </button>
  )
}

function PendingBadge() {
  return (
    <span
      aria-hidden="true"
      className="absolute end-0 top-0 grid size-6 place-items-center rounded-full border-[2.5px] border-paper bg-quiet text-paper"
    >
      <Clock3 className="size-3.5 stroke-[2.5]" />
    </span>
  )
}

function PlusBadge() {
  return (
    <span
      aria-hidden="true"
      className="absolute end-0 bottom-0 grid size-6 place-items-center rounded-full border-[2.5px] border-paper bg-accent text-on-accent"
    >
      <Plus className="size-3 stroke-3" />
    </span>
  )
}

import { useRef, useState } from 'react'
import { Link } from 'react-router-dom'
import { Avatar } from '#/renderer/components/Avatar'
import { Button } from '#/renderer/components/Button'
import { RelativeTime } from '#/renderer/components/RelativeTime'
import { texts } from '#/renderer/lib/texts'
import { useAnswerRequestMutation } from '../mutations'
import type { FollowRequest } from '../queries'

interface FollowRequestsProps {
  requests: FollowRequest[]
  onClose: () => void
}

/** Pending follow requests, above the notifications. */
export function FollowRequests({ requests, onClose }: FollowRequestsProps) {
  const answering = useAnswerRequestMutation()
  if (requests.length === 0) return null
  return (
    <section aria-label={texts.notifications.requests} className="border-line border-b py-1.5">
      <h3 className="px-4 pt-1.5 pb-1 font-semibold text-[13px] text-quiet">
        {texts.notifications.requests}
      </h3>
      <ul>
        {requests.map((request) => (
          <RequestItem
            key={request.requester_id}
            request={request}
            onAnswer={(isAccepted) => answering.mutate({ requesterId: request.requester_id, isAccepted })}
            onClose={onClose}
          />
        ))}
      </ul>
    </section>
  )
}

/** Moves the focus to the next request, because the answered one is removed together with its focus. */
function focusNeighbour(item: HTMLElement): void {
  // Skip requests that have been answered too and are about to be removed.
  const open = [...(item.parentElement?.querySelectorAll<HTMLElement>('li:not([data-answered])') ?? [])]
  const index = open.indexOf(item)
  const next = open[index + 1] ?? open[index - 1] ?? item.closest<HTMLElement>('[role=dialog]')
  next?.focus()
}

interface RequestItemProps {
  request: FollowRequest
  onAnswer: (isAccepted: boolean) => void
  onClose: () => void
}

const BUTTON_CLASS = 'h-8! px-3! text-[13.5px]!'

function RequestItem({ request, onAnswer, onClose }: RequestItemProps) {
  const { username } = request.requester
  const item = useRef<HTMLLIElement>(null)
  const [isAnswered, setIsAnswered] = useState(false)
  const handleAnswer = (isAccepted: boolean) => {
    if (item.current !== null) focusNeighbour(item.current)
    setIsAnswered(true)
    onAnswer(isAccepted)
  }
  return (
    // Focus the item and not its button: holding a key would answer one request after the other.
    <li
      ref={item}
      tabIndex={-1}
      data-answered={isAnswered || undefined}
      className="flex flex-wrap items-center gap-x-3 gap-y-2 px-4 py-2"
    >
      <Link
        to={`/profile/${username}`}
        onClick={onClose}
        className="flex min-w-0 flex-1 items-center gap-3 rounded-sm"
      >
        <Avatar member={request.requester} size={38} />
        <span className="min-w-0 text-[14px] leading-snug">
          <span className="wrap-anywhere line-clamp-3">
            <b className="font-semibold">{username}</b> {texts.notifications.asks}
          </span>
          <RelativeTime at={request.created_at} className="text-[12.5px] text-quiet" />
        </span>
      </Link>
      <span className="flex gap-1.5">
        <Button variant="primary" onClick={() => handleAnswer(true)} className={BUTTON_CLASS}>
          {texts.notifications.accept}
          <span className="sr-only"> {username}</span>
        </Button>
        <Button onClick={() => handleAnswer(false)} className={BUTTON_CLASS}>
          {texts.notifications.decline}
          <span className="sr-only"> {username}</span>
        </Button>
      </span>
    </li>
  )
}

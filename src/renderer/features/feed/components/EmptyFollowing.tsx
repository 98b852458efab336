import { Users } from 'lucide-react'
import { Button } from '#/renderer/components/Button'
import { EmptyState } from '#/renderer/components/EmptyState'
import { PeopleToFollow } from '#/renderer/features/people'
import { texts } from '#/renderer/lib/texts'

/** Suggested members; more would hide that there is another feed. */
const PEOPLE_SHOWN = 5

/** No followed member has posted, or the member follows nobody. */
export function EmptyFollowing({ onShowEveryone }: { onShowEveryone: () => void }) {
  return (
    <div className="mx-auto max-w-110 pt-14 pb-8">
      <EmptyState Icon={Users} title={texts.feed.emptyFollowingTitle} body={texts.feed.emptyFollowingBody}>
        <Button className="mt-5 mb-8" onClick={onShowEveryone}>
          {texts.feed.showEveryone}
        </Button>
      </EmptyState>
      <PeopleToFollow most={PEOPLE_SHOWN} />
    </div>
  )
}

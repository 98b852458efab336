import { Camera } from 'lucide-react'
import { EmptyState } from '#/renderer/components/EmptyState'
import { texts } from '#/renderer/lib/texts'
import { FirstSteps } from './FirstSteps'

/** Nobody has posted anything that the member may see. */
export function EmptyFeed() {
  return (
    <>
      <div className="pt-14 pb-7">
        <EmptyState Icon={Camera} title={texts.feed.emptyTitle} body={texts.feed.emptyBody} />
      </div>
      <FirstSteps />
    </>
  )
}

import { Lock } from 'lucide-react'
import { EmptyState } from '#/renderer/components/EmptyState'
import { texts } from '#/renderer/lib/texts'

/** Replaces the posts of a private account for members it has not approved. */
export function PrivateNotice({ hasAsked }: { hasAsked: boolean }) {
  return (
    <section className="border-line border-t px-4 py-16">
      <EmptyState
        Icon={Lock}
        title={texts.profile.private}
        body={hasAsked ? texts.profile.privateAsked : texts.profile.privateBody}
      />
    </section>
  )
}

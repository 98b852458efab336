import { Lock } from 'lucide-react'
import { texts } from '#/renderer/lib/texts'

/** In the place of a private account's posts, for whom it has not approved. */
export function PrivateNotice({ hasAsked }: { hasAsked: boolean }) {
  return (
    <section className="border-line border-t px-4 py-16 text-center">
      <Lock aria-hidden="true" className="mx-auto mb-3 size-8 stroke-[1.25] text-quiet" />
      <h2 className="font-display text-[24px]">{texts.profile.private}</h2>
      <p className="mt-1.5 text-quiet">{hasAsked ? texts.profile.privateAsked : texts.profile.privateBody}</p>
    </section>
  )
}

import { Plus } from 'lucide-react'
import { Avatar } from '#/renderer/components/Avatar'
import { useMe } from '#/renderer/features/auth'
import { texts } from '#/renderer/lib/texts'

/** The strip's place above the posts, with one's own bubble. */
export function StoriesStrip() {
  const { profile } = useMe()
  return (
    <section aria-label={texts.stories.label} className="flex gap-4.5 overflow-x-auto px-0.5 pt-1 pb-5">
      <figure className="w-18 shrink-0 text-center">
        <span className="relative inline-block p-[5px]">
          <Avatar username={profile.username} src={profile.avatar_url} size={62} />
          <span
            aria-hidden="true"
            className="absolute end-0 bottom-0 grid size-5.5 place-items-center rounded-full border-[2.5px] border-paper bg-accent text-on-accent"
          >
            <Plus className="size-3 stroke-3" />
          </span>
        </span>
        <figcaption className="mt-1 truncate text-[12px] text-quiet">{texts.stories.yours}</figcaption>
      </figure>
    </section>
  )
}

import { useId } from 'react'
import { GridLayoutToggle, PostGrid } from '#/renderer/features/profile'

interface PhotosSectionProps {
  title: string
  kind: 'explore' | 'search'
  /** The words of a search. */
  about: string
}

/** Posts with photos of many members, as squares or whole as the member has chosen. */
export function PhotosSection({ title, kind, about }: PhotosSectionProps) {
  const heading = useId()
  return (
    <section aria-labelledby={heading} className="group/grid mt-8">
      <div className="mb-3 flex items-center justify-between">
        <h2 id={heading} className="font-semibold text-[15px]">
          {title}
        </h2>
        <GridLayoutToggle />
      </div>
      <PostGrid kind={kind} about={about} />
    </section>
  )
}

import { CLIPPED_TEXT } from '#/renderer/components/clipped-text'
import { cameraFacts } from '#/renderer/lib/content/camera'
import { texts } from '#/renderer/lib/texts'
import { lightTable } from '#/renderer/lib/texts/later/light-table'
import type { Post } from '../queries'

interface CameraFactsProps {
  post: Post
  /** Index of the photo that is shown. */
  photo: number
}

/** The camera details of the visible photo that its author shows (CREATE-09). */
export function CameraFacts({ post, photo }: CameraFactsProps) {
  const facts = cameraFacts(post.media[photo]?.camera)
  if (facts.length === 0) return null
  return (
    <dl aria-label={texts.post.camera} className="grid grid-cols-2 gap-x-4 gap-y-2.5 px-4 pt-3 text-[12.5px]">
      {facts.map(({ name, text }) => (
        <div key={name} className="min-w-0">
          <dt className="text-quiet">{lightTable.facts[name]}</dt>
          <dd className={`font-medium [overflow-wrap:anywhere] ${CLIPPED_TEXT}`}>
            <bdi>{text}</bdi>
          </dd>
        </div>
      ))}
    </dl>
  )
}

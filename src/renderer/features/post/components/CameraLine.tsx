import { cameraLine } from '#/renderer/lib/camera'
import { texts } from '#/renderer/lib/texts'
import { useCardState } from '../card-store'
import type { Post } from '../queries'

/** The camera details of the visible photo that its author shows (CREATE-09). */
export function CameraLine({ post }: { post: Post }) {
  const [{ photo }] = useCardState(post.id)
  const line = cameraLine(post.photos[photo]?.camera)
  if (line === '') return null
  return (
    <p className="px-4 pt-2 text-[13px] text-quiet">
      <span className="sr-only">{texts.post.camera}: </span>
      {line}
    </p>
  )
}

import type { PhotoNote } from '#/renderer/lib/media'
import { texts } from '#/renderer/lib/texts'

interface FileNoteProps {
  note: PhotoNote
  /** What the photo becomes. */
  use: keyof typeof texts.media.still
}

/** What happens to the chosen file. */
export function FileNote({ note, use }: FileNoteProps) {
  return (
    <p role="status" className="text-[13.5px] text-quiet">
      {note === 'raw' ? texts.media.preview : texts.media.still[use]}
    </p>
  )
}

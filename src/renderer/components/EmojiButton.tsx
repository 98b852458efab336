import { Smile } from 'lucide-react'
import type { RefObject } from 'react'
import { insertText } from '#/renderer/lib/browser/text-field'
import { texts } from '#/renderer/lib/texts'
import { IconButton } from './IconButton'
import { LazyPopup } from './LazyPopup'

interface EmojiButtonProps {
  /** The signed-in member: the last emojis are remembered for each member. */
  me: string
  field: RefObject<HTMLTextAreaElement | null>
  className?: string
}

/** Opens the emoji picker, which inserts emojis at the caret of the field. */
export function EmojiButton({ me, field, className = '' }: EmojiButtonProps) {
  const insert = (character: string) => {
    const area = field.current
    if (area === null) return
    insertText(area, character, area.selectionStart, area.selectionEnd)
  }
  return (
    <LazyPopup
      kind="dialog"
      load={() => import('./EmojiPicker')}
      trigger={(props) => (
        <IconButton
          label={texts.emoji.choose}
          size="medium"
          className={`rounded-full! text-quiet [&_svg]:size-5! [&_svg]:stroke-[1.75] ${className}`}
          {...props}
        >
          <Smile />
        </IconButton>
      )}
    >
      {({ EmojiPicker }, { trigger }) => (
        <EmojiPicker trigger={trigger} me={me} field={field} onChoose={insert} />
      )}
    </LazyPopup>
  )
}

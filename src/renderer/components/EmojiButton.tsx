import { Smile } from 'lucide-react'
import type { RefObject } from 'react'
import { texts } from '#/renderer/lib/texts'
import { IconButton } from './IconButton'
import { LazyPopup } from './LazyPopup'

interface EmojiButtonProps {
  /** The signed-in member: the last emojis are remembered for each member. */
  me: string
  field: RefObject<HTMLTextAreaElement | null>
  onText: (text: string) => void
  className?: string
}

/** Opens the emoji picker, which inserts emojis at the caret of the field. */
export function EmojiButton({ me, field, onText, className = '' }: EmojiButtonProps) {
  const insert = (character: string) => {
    const area = field.current
    if (area === null) return
    area.setRangeText(character, area.selectionStart, area.selectionEnd, 'end')
    onText(area.value)
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

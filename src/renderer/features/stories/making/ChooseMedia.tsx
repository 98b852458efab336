import { Clapperboard, ImagePlus } from 'lucide-react'
import { Button } from '#/renderer/components/Button'
import { texts } from '#/renderer/lib/texts'

interface ChooseMediaProps {
  /** Something else is said in its place. */
  isHidden: boolean
  onPick: (kind: 'photo' | 'video') => void
}

/** The empty frame, with the ways to fill it. */
export function ChooseMedia({ isHidden, onPick }: ChooseMediaProps) {
  return (
    <div className="grid size-full place-items-center rounded-lg border border-edge border-dashed bg-sunk p-6 text-center">
      {!isHidden && (
        <div className="grid w-full max-w-56 gap-2.5">
          <Button variant="primary" onClick={() => onPick('photo')}>
            <ImagePlus aria-hidden="true" className="size-4.5" />
            {texts.makeStory.choosePhoto}
          </Button>
          <Button onClick={() => onPick('video')}>
            <Clapperboard aria-hidden="true" className="size-4.5" />
            {texts.makeStory.chooseVideo}
          </Button>
          <p className="mt-2 text-[13.5px] text-quiet">{texts.makeStory.hint}</p>
        </div>
      )}
    </div>
  )
}

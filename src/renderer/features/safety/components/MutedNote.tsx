import { VolumeX } from 'lucide-react'
import { texts } from '#/renderer/lib/texts'
import type { SafetyMember } from '../model'
import { useMute } from '../mutations'

/** Shows on a muted member's page that they are muted, with a button to unmute them. */
export function MutedNote({ member }: { member: SafetyMember }) {
  const { isMuted, toggle } = useMute(member)
  if (!isMuted) return null
  return (
    <div className="mt-3 flex gap-2 text-[13.5px] text-quiet">
      <VolumeX aria-hidden="true" className="mt-0.75 size-4 shrink-0 stroke-[1.75]" />
      <p>
        {texts.safety.mutedHere}{' '}
        <button
          type="button"
          onClick={toggle}
          className="ms-1 min-h-6 rounded-sm font-semibold text-accent underline-offset-3 hover:underline"
        >
          {texts.safety.unmute}
        </button>
      </p>
    </div>
  )
}

import { ArrowDown } from 'lucide-react'
import { texts } from '#/renderer/lib/texts'

interface ToLatestProps {
  /** Messages of the other that came in below what is on screen. */
  unseen: number
  onClick: () => void
}

/** Leads back to the end of a conversation that one scrolled up in. */
export function ToLatest({ unseen, onClick }: ToLatestProps) {
  const label = texts.messages.toLatest(unseen)
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      onClick={onClick}
      className="absolute end-4 bottom-3 flex h-9 min-w-9 animate-appear items-center justify-center gap-1.5 rounded-full border border-line bg-raised px-2.5 font-semibold text-[13px] shadow-card hover:bg-sunk"
    >
      {unseen > 0 && <span className="text-accent">{unseen}</span>}
      <ArrowDown aria-hidden="true" className="size-4.5" />
    </button>
  )
}

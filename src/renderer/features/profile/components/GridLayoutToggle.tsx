import { Grid3x3, Rows3 } from 'lucide-react'
import type { PhotoLayout } from '#/renderer/components/PhotoRows'
import { texts } from '#/renderer/lib/texts'
import { gridLayout } from '../grid-layout'

const ICONS = { squares: Grid3x3, justified: Rows3 } as const
const LAYOUTS: readonly PhotoLayout[] = ['squares', 'justified']

/** Chooses between squares and whole photos. Hidden without posts: the nearest `group/grid` contains the grid. */
export function GridLayoutToggle({ className = '' }: { className?: string }) {
  const chosen = gridLayout.useChoice()
  return (
    <fieldset
      aria-label={texts.profile.layout}
      className={`flex gap-0.5 group-not-has-[[data-item]]/grid:invisible ${className}`}
    >
      {LAYOUTS.map((layout) => {
        const Icon = ICONS[layout]
        const label = texts.profile.layouts[layout]
        return (
          <button
            key={layout}
            type="button"
            aria-pressed={layout === chosen}
            onClick={() => gridLayout.choose(layout)}
            className="flex h-8 items-center gap-1.5 rounded-sm px-2.5 font-semibold text-[13px] text-quiet hover:text-ink aria-pressed:bg-lifted aria-pressed:text-ink"
          >
            <Icon aria-hidden="true" className="size-4.5" />
            <span className="max-sm:sr-only">{label}</span>
          </button>
        )
      })}
    </fieldset>
  )
}

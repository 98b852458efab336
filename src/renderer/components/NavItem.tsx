import type { ReactNode } from 'react'
import { useIsSpacious } from '#/renderer/lib/layout/layout'

/** A link or button of the navigation: an icon in the bar and the narrow rail, a line with a word in the wide rail. */
export const NAV_ITEM_CLASS =
  'relative flex size-10 shrink-0 items-center justify-center rounded-md transition-colors duration-150 hover:bg-sunk [&_svg]:size-5.5 [&_svg]:shrink-0 [&_svg]:stroke-[1.75] rail:h-11 rail:w-full rail:max-h-(--rail-item) spacious:justify-start spacious:gap-3.5 spacious:px-3.5'

/** A link of the navigation, marked while its page is shown. */
export const NAV_LINK_CLASS = `${NAV_ITEM_CLASS} after:absolute after:inset-x-2 after:-bottom-2 after:h-0.5 after:rounded-full rail:after:hidden aria-[current=page]:after:bg-accent rail:aria-[current=page]:bg-sunk rail:aria-[current=page]:[&_svg]:stroke-[2.4]`

/** The visible word of an item in the wide rail; the item has an accessible name. */
export function NavWord({ children }: { children: ReactNode }) {
  const isSpacious = useIsSpacious()
  if (!isSpacious) return null
  return (
    <span aria-hidden="true" className="min-w-0 truncate font-semibold text-[14.5px]">
      {children}
    </span>
  )
}

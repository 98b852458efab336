export const MENU_CLASS =
  'z-50 min-w-44 animate-appear rounded-md border border-line bg-raised p-1.5 shadow-card'

export const MENU_ITEM_CLASS =
  'flex h-9 items-center gap-2.5 rounded-sm px-2.5 text-[14px] -outline-offset-2 data-highlighted:bg-sunk [&_svg]:size-4.5 [&_svg]:stroke-[1.75] [&_svg]:text-quiet'

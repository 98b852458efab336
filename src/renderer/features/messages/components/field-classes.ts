/** The frame of the field for a message, with its buttons. */
export const FIELD_FRAME_CLASS =
  'flex items-end gap-0.5 rounded-[22px] border border-edge bg-raised py-1 pe-1 focus-within:outline-2 focus-within:outline-ink'

export const FIELD_CLASS =
  'field-sizing-content wrap-anywhere max-h-[calc(6lh+12px)] min-w-0 flex-1 resize-none bg-transparent px-1 py-[7px] text-[15px] leading-[22px] outline-none'

/** The button that sends or saves. */
export const SEND_CLASS =
  'h-9 shrink-0 rounded-full bg-accent px-4.5 font-semibold text-[14.5px] text-on-accent transition-[filter,background-color,color] duration-150 hover:brightness-108 active:brightness-95 disabled:pointer-events-none disabled:bg-line disabled:text-quiet'

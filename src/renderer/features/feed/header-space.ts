/** Height of the sticky header plus some space, in pixels. */
export const HEADER_SPACE = 72

/** What the sticky header covers, and a little air, in pixels. */
export const HEADER_SPACE = 72

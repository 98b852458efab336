/**
 * For an element with a member's text: what Unicode joins to one character is not broken and may be higher than its line, as a letter with
 * a hundred marks. It ends at the edge of its text, beyond the outlines of links.
 */
export const CLIPPED_TEXT = 'overflow-clip [overflow-clip-margin:4px]'

/**
 * For a paragraph with a member's text: each of its lines has the direction of the text, which says where it begins and where the '…' of a
 * cut one stands. A name in it is isolated.
 */
export const OWN_DIRECTION = '[unicode-bidi:plaintext]'

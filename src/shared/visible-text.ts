import { composeText } from './composed-text'

/**
 * Characters that draw nothing: spaces, control characters, what Unicode ignores by default (zero-width, direction, fillers of Hangul), blank
 * Braille, and other blanks and format characters. For a class with the flag `u` or `v`; private.is_visible() in
 * supabase/schemas has the same.
 */
export const INVISIBLE = String.raw`\s\p{Cc}\p{Default_Ignorable_Code_Point}\u2800\ufff9-\ufffb\u{13430}-\u{1343f}\u{13441}\u{13442}\u{16fe4}\u{1d159}`

const VISIBLE = new RegExp(`[^${INVISIBLE}]`, 'u')

/** The text as it is stored: composed, without spaces around it; empty if it has only invisible characters. */
export function trimText(text: string): string {
  return VISIBLE.test(text) ? composeText(text.trim()) : ''
}

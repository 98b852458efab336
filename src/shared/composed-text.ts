/** Characters that NFC would replace by others: names are written with these variants of Chinese characters. For a class with the flag `u`. */
export const KEPT_VARIANTS = String.raw`\uf900-\ufaff\u{2f800}-\u{2fa1f}`

const COMPOSABLE = new RegExp(`[^${KEPT_VARIANTS}]+`, 'gu')

/**
 * The text in Unicode's composed form (NFC), in which it is stored: 'é' is one code point. Compatibility ideographs stay. The same as
 * private.composed() in supabase/schemas.
 */
export function composeText(text: string): string {
  return text.replace(COMPOSABLE, (part) => part.normalize('NFC'))
}

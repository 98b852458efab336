/**
 * A letter, mark or digit of any script, or '_'; no enclosing marks and invisible characters, which emojis have. For a pattern with the
 * flag `u`; private.word_character() in supabase/schemas has the same.
 */
export const WORD_CHARACTER = String.raw`(?!\p{Default_Ignorable_Code_Point})[\p{L}\p{Mn}\p{Mc}\p{Nd}\p{Nl}_]`

/** What joins letters inside a word: the middle dot of Catalan, joiners of Persian and Indic scripts, variation selectors. */
export const JOINER = String.raw`[\u00b7\u180b-\u180d\u180f\u200c\u200d\u{e0100}-\u{e01ef}]`

/** Maximum characters of a hashtag. */
export const HASHTAG_MAX = 50

/** Finds '#word', not inside a word or an address. With the flag `u`; `isHashtag` says whether the word is one. */
export const HASHTAG = `(?<!${WORD_CHARACTER}|[#＃&\\/@])[#＃](?<tag>(?:${WORD_CHARACTER})+(?:${JOINER}+(?:${WORD_CHARACTER})+)*)`

const ONLY_DIGITS = new RegExp(`^(?:[\\p{Nd}_]|${JOINER})+$`, 'u')

/** Whether the word after '#' is a hashtag: not too long, and not only digits. */
export function isHashtag(word: string): boolean {
  return [...word].length <= HASHTAG_MAX && !ONLY_DIGITS.test(word)
}

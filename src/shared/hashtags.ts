// The same characters as in private.word_character() in supabase/migrations: everything except spaces, punctuation and symbols.
const CHARACTER = String.raw`[^\s!-\/:-@\[-^\x60{-~\u0080-\u00bf\u00d7\u00f7\u02c2-\u02df\u2000-\u2bff\u3000-\u3004\u3008-\u3020\u3030\u30fb\ue000-\uf8ff\ufe00-\ufe4f\uff00-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65\u{1f000}-\u{1faff}]`

/** Maximum characters of a hashtag. */
export const HASHTAG_MAX = 50

/** Finds '#word', not inside a word or an address. With the flag `u`; `isHashtag` says whether the word is one. */
export const HASHTAG = String.raw`(?<!${CHARACTER}|[#&\/@])#(?<tag>${CHARACTER}+)`

const WORD = new RegExp(`^${CHARACTER}{1,${HASHTAG_MAX}}$`, 'u')

/** Whether the word after '#' is a hashtag: not too long, and not only digits. */
export function isHashtag(word: string): boolean {
  return WORD.test(word) && !/^[0-9_]+$/.test(word)
}

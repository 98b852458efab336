/** Two spellings of a text, each of which a search for the other finds. */
export const SAME_TO_SEARCH: readonly (readonly [what: string, one: string, other: string])[] = [
  ['decomposed Latin', 'Zoe\u0308 Be\u0301la', 'Zo\u00eb B\u00e9la'],
  ['Latin without accents', 'Zoë Béla', 'ZOE BELA'],
  ['Vietnamese without marks', 'Đặng Thị Nguyễn', 'dang thi nguyen'],
  ['Vietnamese with marks in another order', 'a\u0323\u0302ng', 'a\u0302\u0323ng'],
  ['strokes and ligatures', 'Łukasz Søren Æsir Œuvre', 'lukasz soren aesir oeuvre'],
  ['Turkish', 'İSTANBUL Işık', 'istanbul ışık'],
  ['Turkish without dots', 'Diyarbakır', 'DIYARBAKIR'],
  ['German', 'GROẞE STRASSE', 'große Straße'],
  ['Greek', 'ΟΔΥΣΣΈΑΣ', 'Οδυσσεας'],
  ['Greek with breathings', 'ᾍδης', 'αδης'],
  ['Cyrillic', 'Алёна Толстой', 'АЛЕНА ТОЛСТОИ'],
  ['decomposed Cyrillic', 'Толстои\u0306', 'толсто\u0439'],
  ['Georgian capitals', 'ᲗᲐᲛᲐᲠ', 'თამარ'],
  ['Arabic with harakat and tatweel', 'مُحَمَّدٌ أحمــد', 'محمد احمد'],
  ['Hebrew with points', 'שָׁלוֹם', 'שלום'],
  ['Hebrew presentation forms', '\ufb2aר\ufb4b', 'שרו'],
  ['Hindi, whose nukta has two spellings', '\u0958\u0932\u092e', '\u0915\u093c\u0932\u092e'],
  ['decomposed kana', 'は\u3099んこ \u30ab\u3099', 'ばんこ ガ'],
  ['half-width kana', 'ｶﾞﾝﾊﾞ', 'ガンバ'],
  ['decomposed Hangul', '한국'.normalize('NFD'), '한국'],
  ['full-width Latin and digits', 'Ｔｏｋｙｏ２０２６', 'tokyo2026'],
  ['styled Latin', '𝓐𝓭𝓪 ﬁne', 'ada fine'],
  ['Persian with a joiner', 'می\u200cخواهم', 'میخواهم'],
  ['invisible characters', 'Jo\u00adh\u200fn', 'john'],
  ['a compatibility ideograph', '\ufa19戸', '神戸'],
]

/** A text, and another that a search for it does not find. */
export const OTHER_TO_SEARCH: readonly (readonly [what: string, one: string, other: string])[] = [
  ['voiced kana', 'バリ島', 'パリ島'],
  ['Hindi with other vowel signs', 'दिल', 'दल'],
  ['Thai with other vowel signs', 'ปีกา', 'ปกา'],
  ['Tamil with a virama', 'கக்க', 'ககக'],
  ['Hangul that is written as letters', 'ㅋㅠㅠ', '큐ㅠ'],
]

/** Scripts of today's languages, whose letters UTS #39 allows in names. Latin has its own pattern. */
const SCRIPTS =
  'Arab Armn Beng Cyrl Deva Ethi Geor Grek Gujr Guru Hebr Khmr Knda Laoo Mlym Mymr Orya Sinh Taml Telu Thaa Thai Tibt'

/** Latin letters of living alphabets; others look like these (U+0261 'ɡ'). Marks only as part of a letter. */
const LATIN = String.raw`a-z\u00df-\u00f6\u00f8-\u017f\u01a0\u01a1\u01af\u01b0\u0218-\u021b\u0259\u1e00-\u1eff`

/** Several scripts in one label only where a language is written so: Japanese, Chinese and Korean, with basic Latin letters. */
const TOGETHER = [
  LATIN,
  ...SCRIPTS.split(' ').map((script) => String.raw`\p{scx=${script}}`),
  String.raw`a-z\p{scx=Hani}\p{scx=Hira}\p{scx=Kana}`,
  String.raw`a-z\p{scx=Hani}\p{scx=Bopo}`,
  String.raw`a-z\p{scx=Hani}\p{scx=Hang}`,
]
// Digits of other scripts look like letters and like other digits.
const ONE_LANGUAGE = new RegExp(
  String.raw`^(?!.*(?![0-9])\p{Nd})(?:${TOGETHER.map((letters) => `[${letters}0-9_-]+`).join('|')})$`,
  'u',
)

/** Letters that look like Latin ones: a label of these alone can be read as a Latin name. */
const LOOKALIKES =
  // Cyrillic, Greek, Armenian
  'абгԁеѐёҽԍһіїјӏоӧпрԗԛсҫѕуўӱүхԝѡѵьъыю' +
  'αάγηήιίϊκνοόρτυύϋχωώ' +
  'աբգեզէըիլհղյնոռսվցւփքօ' +
  // Georgian, Hebrew, Ethiopic, and round letters of others
  'იოყხჽჿוחטיןסנ' +
  'ሀዐዕഠଠဝငටოთ'
const READS_AS_LATIN = new RegExp(`^[${LOOKALIKES}0-9_-]+$`, 'u')

/** Letters that look like a slash or a hyphen between letters that are not Japanese or Chinese. */
const READS_AS_SIGN = /[a-z0-9_-][ノソンゾ丶丿一ー]+[a-z0-9_-]/u

function isLatin(label: string): boolean {
  return /^[\0-\x7f]*$/.test(label)
}

/**
 * Whether a host can be shown as it is written, so that nobody reads another address in it. Otherwise browsers show its ASCII form
 * (punycode).
 * @param written as in the text
 * @param hostname as `URL` parses it
 */
export function isPlainHost(written: string, hostname: string): boolean {
  if (isLatin(written)) return written.toLowerCase() === hostname
  const host = written.normalize('NFC').toLowerCase()
  // `URL` turns compatibility forms into others: 'ｅｘａｍｐｌｅ' into 'example'.
  if (host.normalize('NFKC').toLowerCase() !== host) return false
  const labels = host.split('.')
  const hasLatinTop = isLatin(labels.at(-1) ?? '')
  return labels.every(
    (label) =>
      isLatin(label) ||
      (ONE_LANGUAGE.test(label) &&
        !READS_AS_SIGN.test(label) &&
        !(hasLatinTop && READS_AS_LATIN.test(label))),
  )
}

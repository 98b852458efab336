// Prints the characters that a JavaScript pattern matches as explicit ranges for a PostgreSQL pattern, whose classes depend on the locale of
// the database: node scripts/character-class.mjs '[\p{Nd}_]'
// With --short, code points that Unicode has not assigned may be in a range, which makes far fewer ranges.

const LAST = 0x10ffff
const UNASSIGNED = /(?!\p{Default_Ignorable_Code_Point})[\p{Cn}\p{Cs}]/u

/** @param {number} code */
function escaped(code) {
  const hex = code.toString(16)
  return code > 0xffff ? `\\U${hex.padStart(8, '0')}` : `\\u${hex.padStart(4, '0')}`
}

/**
 * PostgreSQL's texts have neither U+0000 nor surrogates, so those are left out.
 * @param {string} source a pattern of one character
 * @param {boolean} isShort
 */
function postgresClass(source, isShort) {
  const wanted = new RegExp(`^${source}$`, 'u')
  const ranges = []
  let isOpen = false
  for (let code = 1; code <= LAST; code += 1) {
    const character = String.fromCodePoint(code)
    if (wanted.test(character) && (code < 0xd800 || code > 0xdfff)) {
      if (!isOpen) ranges.push([code])
      ranges.at(-1)[1] = code
      isOpen = true
    } else if (!isShort || !UNASSIGNED.test(character)) isOpen = false
  }
  return `[${ranges.map((range) => [...new Set(range)].map(escaped).join('-')).join('')}]`
}

const [source, option] = process.argv.slice(2)
if (source === undefined) throw new Error('Pass a pattern of one character.')
process.stdout.write(`${postgresClass(source, option === '--short')}\n`)

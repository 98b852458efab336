// Prints a class of JavaScript's regular expressions as explicit ranges for a PostgreSQL pattern, whose classes depend on the locale of
// the database: node scripts/character-class.mjs '\p{Nd}_'

const LAST = 0x10ffff

/** @param {number} code */
function escaped(code) {
  const hex = code.toString(16)
  return code > 0xffff ? `\\U${hex.padStart(8, '0')}` : `\\u${hex.padStart(4, '0')}`
}

/**
 * The ranges of a class. PostgreSQL's texts have neither U+0000 nor surrogates, so those are left out.
 * @param {string} source what stands between the brackets
 * @param {RegExp | null} optional code points that may be in a range or not, whichever makes fewer ranges
 */
export function postgresClass(source, optional = null) {
  const wanted = new RegExp(`^[${source}]$`, 'u')
  const ranges = []
  let start = 0
  let end = 0
  const take = () =>
    start > 0 && ranges.push(start === end ? escaped(start) : `${escaped(start)}-${escaped(end)}`)
  for (let code = 1; code <= LAST; code += 1) {
    const character = String.fromCodePoint(code)
    if (wanted.test(character) && (code < 0xd800 || code > 0xdfff)) {
      if (start === 0) start = code
      end = code
    } else if (start > 0 && !optional?.test(character)) {
      take()
      start = 0
    }
  }
  take()
  return ranges.join('')
}

const [source] = process.argv.slice(2)
if (source !== undefined) process.stdout.write(`${postgresClass(source)}\n`)

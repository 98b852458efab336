// Prints the letters of all scripts that have a lower case, and on the next line their lower cases, for private.upper_letters() and
// private.lower_letters(): node scripts/letter-cases.mjs
// Without ASCII, and without 'İ', whose lower case is two characters.

const FIRST = 0x80
const LAST = 0x10ffff

let upper = ''
let lower = ''
for (let code = FIRST; code <= LAST; code += 1) {
  const letter = String.fromCodePoint(code)
  const lowered = letter.toLowerCase()
  if (lowered !== letter && letter !== 'İ') {
    upper += letter
    lower += lowered
  }
}
process.stdout.write(`${upper}\n${lower}\n`)

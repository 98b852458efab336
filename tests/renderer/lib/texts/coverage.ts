import type { Sought } from './assertions'
import type { Entry } from './catalogue'
import { HOLE } from './sources'

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')

/** The source of a regular expression that matches a text with any content in its holes. */
function shapeOf(text: string): string {
  return text.split(HOLE).map(escaped).join('[^\\n]+')
}

/** Whether a part of a text is long enough to identify it. */
function isTelling(part: string): boolean {
  return part.length >= 10 && part.trim().includes(' ')
}

/** Sample contents of a hole. */
const SAMPLES = ['x', '3', '@member']

/** Returns the texts that no test asserts: neither by key, nor in full, nor by an identifying part. */
export function textsWithoutTest(catalogue: readonly Entry[], { literals, patterns, keys }: Sought): Entry[] {
  const all = [...literals]
  const telling = all.filter(isTelling)
  const whole = new Set(catalogue.map(({ text }) => text.toLowerCase()))

  const isLiteral = (text: string): boolean => {
    if (literals.has(text)) return true
    const full = new RegExp(`^${shapeOf(text)}$`)
    const within = new RegExp(`(?<![\\p{L}\\d])${shapeOf(text)}(?![\\p{L}\\d])`, 'u')
    const canBeWithin = isTelling(text.replaceAll(HOLE, ''))
    const hasHole = text.includes(HOLE)
    // Looked for first, because the expressions are slow.
    const longest = text.split(HOLE).reduce((one, other) => (other.length > one.length ? other : one))
    const isShown = (literal: string) =>
      literal.includes(longest) && ((hasHole && full.test(literal)) || (canBeWithin && within.test(literal)))
    // Or an identifying part of it, unless that is another text.
    return (
      all.some(isShown) ||
      telling.some((literal) => text.includes(literal) && !whole.has(literal.toLowerCase()))
    )
  }
  const isMatched = (text: string): boolean =>
    SAMPLES.map((sample) => text.replaceAll(HOLE, sample)).some((shown) =>
      patterns.some((regex) => {
        const [part] = regex.exec(shown) ?? []
        return part !== undefined && (part === shown || (part.length >= 5 && !whole.has(part.toLowerCase())))
      }),
    )
  // A test that refers to a table of texts asserts all of them.
  const isReferred = (key: string): boolean => keys.has(key) || keys.has(key.replace(/(\.\d+)+$/, ''))

  return catalogue.filter(({ key, text }) => !isReferred(key) && !isLiteral(text) && !isMatched(text))
}

/**
 * Returns the names of failures that no test asserts: neither in a log line, `send message: offline`, nor as the name
 * that `logFailure` was called with.
 * @param called the assertions of tests that mock `logFailure`
 */
export function failuresWithoutTest(names: readonly string[], all: Sought, called: Sought): string[] {
  const sources = (sought: Sought) => sought.patterns.map(({ source }) => source.replace(/^\^/, ''))
  const lines = [...all.literals, ...sources(all)]
  const exact = [...called.literals, ...sources(all)]
  return names.filter((name) => {
    const line = new RegExp(`^${shapeOf(name)}: `)
    const whole = new RegExp(`^${shapeOf(name)}$`)
    return !lines.some((text) => line.test(text)) && !exact.some((text) => whole.test(text))
  })
}

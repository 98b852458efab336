import type { Sought } from './assertions'
import type { Entry } from './catalogue'
import { HOLE } from './sources'

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')

/** The source of an expression that matches a text with anything in its holes. */
function shapeOf(text: string): string {
  return text.split(HOLE).map(escaped).join('[^\\n]+')
}

/** Whether a part of a text says which text it is. */
function isTelling(part: string): boolean {
  return part.length >= 10 && part.trim().includes(' ')
}

/** What may stand in a hole. */
const SAMPLES = ['x', '3', '@member']

/** Gives the texts that no test looks for: neither by their key, nor as they read, in full or by a part that tells. */
export function textsWithoutTest(catalogue: readonly Entry[], { literals, patterns, keys }: Sought): Entry[] {
  const all = [...literals]
  const whole = new Set(catalogue.map(({ text }) => text.toLowerCase()))

  const isLiteral = (text: string): boolean => {
    if (literals.has(text)) return true
    const full = new RegExp(`^${shapeOf(text)}$`)
    const within = new RegExp(`(?<![\\p{L}\\d])${shapeOf(text)}(?![\\p{L}\\d])`, 'u')
    const canBeWithin = isTelling(text.replaceAll(HOLE, ''))
    const hasHole = text.includes(HOLE)
    return all.some(
      (literal) =>
        (hasHole && full.test(literal)) ||
        (canBeWithin && within.test(literal)) ||
        // A part of it, unless that is another text.
        (isTelling(literal) && text.includes(literal) && !whole.has(literal.toLowerCase())),
    )
  }
  const isMatched = (text: string): boolean =>
    SAMPLES.map((sample) => text.replaceAll(HOLE, sample)).some((shown) =>
      patterns.some((regex) => {
        const [part] = regex.exec(shown) ?? []
        return part !== undefined && (part === shown || (part.length >= 5 && !whole.has(part.toLowerCase())))
      }),
    )
  // A table of texts is asserted as a whole.
  const isReferred = (key: string): boolean => keys.has(key) || keys.has(key.replace(/(\.\d+)+$/, ''))

  return catalogue.filter(({ key, text }) => !isReferred(key) && !isLiteral(text) && !isMatched(text))
}

/**
 * Gives the names of failures that no test looks for: neither in a line of the log, `send message: offline`, nor as the
 * name that `logFailure` was called with.
 * @param called what tests look for that know of `logFailure`.
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

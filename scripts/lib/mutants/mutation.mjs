// @ts-check
import { createHash } from 'node:crypto'

/**
 * @typedef {object} Mutation one small change of a text
 * @property {string} operator
 * @property {number} start
 * @property {number} end
 * @property {string} after what the text between start and end becomes
 *
 * @typedef {object} Place a file, or one definition in the migrations
 * @property {string} area
 * @property {string} name
 * @property {string} file
 * @property {string} source the text of the whole file
 * @property {Mutation[]} mutations
 *
 * @typedef {Mutation & Omit<Place, 'mutations'> & { id: string, line: number, before: string }} Mutant
 */

/**
 * A number far from the given one: a limit of 30,001 instead of 30,000 seldom makes a difference.
 * @param {number} value
 */
export function otherNumber(value) {
  return String(value < 10 ? value + 1 : Math.round(value / 10))
}

/** @param {string[]} parts */
function hash(...parts) {
  return createHash('sha256').update(parts.join('\0')).digest('hex')
}

/**
 * Mixes groups: each gives its first item before any gives its second. A hash and not a random number generator decides
 * which group comes first, so that a seed goes on giving the same mutants while the code around them changes.
 * @param {readonly Mutant[]} mutants
 * @param {string} seed
 * @param {(mutant: Mutant) => string} groupOf
 */
function inTurn(mutants, seed, groupOf) {
  /** @type {Map<string, number>} */
  const counts = new Map()
  const keyed = mutants.map((mutant) => {
    const group = groupOf(mutant)
    const round = counts.get(group) ?? 0
    counts.set(group, round + 1)
    return { mutant, key: String(round).padStart(6, '0') + hash(seed, group) }
  })
  return keyed.sort((one, other) => (one.key < other.key ? -1 : 1)).map(({ mutant }) => mutant)
}

/**
 * All mutants of the places in random order; places take turns, and within a place its operators do.
 * @param {readonly Place[]} places
 * @param {string} seed
 * @returns {Mutant[]}
 */
export function shuffle(places, seed) {
  const all = places.flatMap(mutantsOf)
  const random = inTurn(all, seed, ({ id }) => id)
  const byOperator = inTurn(random, seed, ({ name, operator }) => name + operator)
  return inTurn(byOperator, seed, ({ name }) => name)
}

/**
 * @param {Place} place
 * @returns {Mutant[]}
 */
function mutantsOf({ mutations, ...place }) {
  const { name, source } = place
  return mutations.map((mutation) => {
    const { operator, start, end, after } = mutation
    const context = source.slice(Math.max(0, start - 60), end + 60)
    const id = hash(name, operator, context, after).slice(0, 12)
    const line = source.slice(0, start).split('\n').length
    return { ...place, ...mutation, id, line, before: source.slice(start, end) }
  })
}

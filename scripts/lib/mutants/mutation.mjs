// @ts-check
import { createHash } from 'node:crypto'

/**
 * @typedef {object} Mutation a small change of a source text
 * @property {string} operator
 * @property {number} start
 * @property {number} end
 * @property {string} after replaces the text between start and end
 *
 * @typedef {object} Target a file, or a definition in the migrations
 * @property {string} area
 * @property {string} name
 * @property {string} file
 * @property {string} source the text of the whole file
 * @property {Mutation[]} mutations
 *
 * @typedef {Mutation & Omit<Target, 'mutations'> & { id: string, line: number, before: string }} Mutant
 */

/**
 * A clearly different number: a limit of 30,001 instead of 30,000 seldom makes a difference.
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
 * Interleaves groups: the first item of every group comes before the second item of any. A hash instead of a random number
 * generator orders the groups, so that a seed keeps giving the same mutants while unrelated code changes.
 * @param {readonly Mutant[]} mutants
 * @param {string} seed
 * @param {(mutant: Mutant) => string} groupOf
 */
function interleave(mutants, seed, groupOf) {
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
 * All mutants in random order, interleaved by target and by operator.
 * @param {readonly Target[]} targets
 * @param {string} seed
 * @returns {Mutant[]}
 */
export function shuffle(targets, seed) {
  const all = targets.flatMap(mutantsOf)
  const random = interleave(all, seed, ({ id }) => id)
  const byOperator = interleave(random, seed, ({ name, operator }) => name + operator)
  return interleave(byOperator, seed, ({ name }) => name)
}

/**
 * @param {Target} target
 * @returns {Mutant[]}
 */
function mutantsOf({ mutations, ...target }) {
  const { name, source } = target
  return mutations.map((mutation) => {
    const { operator, start, end, after } = mutation
    const context = source.slice(Math.max(0, start - 60), end + 60)
    const id = hash(name, operator, context, after).slice(0, 12)
    const line = source.slice(0, start).split('\n').length
    return { ...target, ...mutation, id, line, before: source.slice(start, end) }
  })
}

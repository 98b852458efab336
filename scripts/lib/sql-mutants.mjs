// @ts-check
import { createHash } from 'node:crypto'

/**
 * @typedef {{ text: string, word: string, start: number, end: number, quotes: number, depth: number }} Token
 *   `quotes` and `depth`: how many dollar quotes and parentheses surround it
 *
 * @typedef {object} Mutation a small change of a source text
 * @property {string} operator
 * @property {number} start
 * @property {number} end
 * @property {string} after replaces the text between start and end
 *
 * @typedef {object} Target a definition in the migrations
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
function otherNumber(value) {
  return String(value < 10 ? value + 1 : Math.round(value / 10))
}

/** @param {string[]} parts */
function hash(...parts) {
  return createHash('sha256').update(parts.join('\0')).digest('hex')
}

/**
 * All mutants in an order that a seed gives: first one of each target, then the second of each. Hashes instead of random numbers, so that a
 * seed keeps giving the same mutants while other definitions change.
 * @param {readonly Target[]} targets
 * @param {string} seed
 * @returns {Mutant[]}
 */
export function shuffle(targets, seed) {
  const rounds = targets.flatMap(({ mutations, ...target }) => {
    const { name, source } = target
    const mutants = mutations.map((mutation) => {
      const { operator, start, end, after } = mutation
      const id = hash(name, operator, source.slice(Math.max(0, start - 60), end + 60), after).slice(0, 12)
      const line = source.slice(0, start).split('\n').length
      return { ...target, ...mutation, id, line, before: source.slice(start, end) }
    })
    const byHash = mutants.sort((one, other) => (hash(seed, one.id) < hash(seed, other.id) ? -1 : 1))
    return byHash.map((mutant, round) => ({ mutant, key: String(round).padStart(6, '0') + hash(seed, name) }))
  })
  return rounds.sort((one, other) => (one.key < other.key ? -1 : 1)).map(({ mutant }) => mutant)
}

const TOKEN = /--[^\n]*|'(?:[^']|'')*'|"[^"]*"|\$\w*\$|[a-z_][\w.$]*|\d+(?:\.\d+)?|<>|<=|>=|:=|->>|[^\s\w]/gi

/**
 * @param {string} sql
 * @returns {Token[]} without comments
 */
function tokenize(sql) {
  /** @type {string[]} */
  const open = []
  let depth = 0
  return [...sql.matchAll(TOKEN)]
    .filter(([text]) => !text.startsWith('--'))
    .map(({ 0: text, index: start }) => {
      if (/^\$\w*\$$/.test(text)) text === open.at(-1) ? open.pop() : open.push(text)
      if (text === ')') depth -= 1
      const token = {
        text,
        word: text.toLowerCase(),
        start,
        end: start + text.length,
        quotes: open.length,
        depth,
      }
      if (text === '(') depth += 1
      return token
    })
}

/**
 * The tokens from an index to the end of the statement or, for an opening parenthesis, to its closing one.
 * @param {Token[]} tokens
 * @param {number} from
 */
function tokensToEnd(tokens, from) {
  const first = tokens[from]
  const closing = first?.text === '(' ? ')' : ';'
  const end = tokens.findIndex(
    ({ text, quotes, depth }, index) =>
      index > from && text === closing && quotes === first?.quotes && depth === first.depth,
  )
  return tokens.slice(from, end === -1 ? undefined : end)
}

/**
 * The policies, checks, triggers and functions of the final schema. The triggers of one migration form one target, because
 * each has few mutations.
 * @param {readonly { file: string, source: string }[]} migrations in order
 * @returns {Target[]}
 */
export function sqlTargets(migrations) {
  /** @type {Map<string, Target>} */
  const targets = new Map()
  for (const { file, source } of migrations) {
    const tokens = tokenize(source)
    for (const [index, { word }] of tokens.entries()) {
      if (!/^(create|alter|drop|check)$/.test(word)) continue
      for (const { key, mutations } of definitionsAt(tokens, index)) {
        const name = key.startsWith('trigger') ? `triggers in ${file}` : key
        if (mutations === null) targets.delete(key)
        else targets.set(key, { name, file, source, mutations })
      }
    }
  }
  /** @type {Map<string, Target>} */
  const merged = new Map()
  for (const target of targets.values()) {
    const mutations = [...(merged.get(target.name)?.mutations ?? []), ...target.mutations]
    if (mutations.length > 0) merged.set(target.name, { ...target, mutations })
  }
  return [...merged.values()]
}

/**
 * The definitions of the statement or check at a token. `mutations` is null if the statement drops the definition.
 * @param {Token[]} tokens
 * @param {number} index
 * @returns {{ key: string, mutations: Mutation[] | null }[]}
 */
function definitionsAt(tokens, index) {
  const statement = tokensToEnd(tokens, index)
  const words = statement.map(({ word }) => word)
  if (words[0] === 'check') {
    const [before, name] = tokens.slice(index - 2)
    if (name?.word === 'with' || words[1] !== '(') return []
    const expression = tokensToEnd(tokens, index + 1)
    const isNamed = before?.word === 'constraint'
    const key = isNamed
      ? name?.word
      : `${statement[0]?.start}: ${expression.map(({ text }) => text).join(' ')}`
    return [{ key: `check ${key}`, mutations: expressionMutations(expression) }]
  }
  const isDropped = words[0] === 'drop'
  const [kind, name] = words.slice(1).filter((word) => !/^(or|replace|if|exists)$/.test(word))
  const key = `${kind} ${name} on ${words[words.indexOf('on') + 1]}`
  if (kind === 'constraint' && isDropped) return [{ key: `check ${name}`, mutations: null }]
  if (kind === 'policy') {
    return ['using', 'check'].flatMap((part) => {
      const at = words.indexOf(part)
      const mutations = at === -1 ? null : expressionMutations(tokensToEnd(statement, at + 1))
      return mutations || isDropped ? [{ key: `${key} ${part}`, mutations }] : []
    })
  }
  if (kind === 'trigger') {
    const when = words.indexOf('when')
    const all = {
      operator: 'drop trigger',
      start: statement[0]?.start ?? 0,
      end: statement.at(-1)?.end ?? 0,
      after: '',
    }
    const conditions = when === -1 ? [] : expressionMutations(tokensToEnd(statement, when + 1))
    return [{ key, mutations: isDropped ? null : [all, ...conditions] }]
  }
  if (kind === 'function' && words[0] !== 'alter') {
    const body = statement.filter(({ quotes }) => quotes > (statement[0]?.quotes ?? 0))
    const statements = words.includes('plpgsql') ? statementMutations(body) : []
    const mutations = isDropped ? null : [...expressionMutations(body), ...statements]
    return [{ key: `function ${name}`, mutations }]
  }
  return []
}

/** Each is replaced by the other. */
const PAIRS = ['and or', '= <>', '< <=', '> >=', '+ -', 'asc desc'].map((pair) => pair.split(' '))
/** @type {Record<string, string>} */
const SWAPPED = Object.fromEntries(PAIRS.flatMap((pair) => [pair, pair.toReversed()]))
/** Keywords that end a condition at the same depth. */
const ENDS =
  /^(and|or|then|when|else|end|loop|order|group|having|limit|offset|for|on|returning|union|except|window|join|left|;|,)$/

/**
 * @param {Token[]} tokens
 * @returns {Mutation[]}
 */
function expressionMutations(tokens) {
  return tokens.flatMap((token, index) => {
    const { word, text } = token
    const [previous, next] = [tokens[index - 1]?.word, tokens[index + 1]]
    const change = (/** @type {string} */ operator, /** @type {string} */ after, end = token.end) => ({
      operator,
      start: token.start,
      end,
      after,
    })
    const isBetween =
      word === 'and' &&
      tokens.slice(0, index).findLast(({ word }) => /^(and|between)$/.test(word))?.word === 'between'
    /** @type {Mutation[]} */
    const mutations = []
    if (word in SWAPPED && !isBetween) mutations.push(change('swap operator', SWAPPED[word] ?? ''))
    if (word === 'and' && !isBetween) {
      const end = tokens.findIndex(
        (other, at) =>
          at > index && (other.depth < token.depth || (other.depth === token.depth && ENDS.test(other.word))),
      )
      const last = tokens.at(end === -1 ? -1 : end - 1)
      if (last) mutations.push(change('drop condition', '', last.end))
    }
    if (word === 'not' && next) mutations.push(change('negate', '', next.start))
    if (word === 'is' && next?.word !== 'not') mutations.push(change('negate', 'is not'))
    if (word === 'exists' && previous !== 'not' && previous !== 'if')
      mutations.push(change('negate', 'not exists'))
    if (word === 'true') mutations.push(change('change constant', 'false'))
    if (word === 'false') mutations.push(change('change constant', 'true'))
    // `exists` ignores what its query selects.
    const isIgnored = previous === 'select' && tokens[index - 3]?.word === 'exists'
    if (/^\d/.test(text) && !isIgnored) mutations.push(change('change constant', otherNumber(Number(text))))
    if (/^'\S+'$/.test(text)) mutations.push(change('change constant', "''"))
    return mutations
  })
}

/**
 * @param {Token[]} body of a function in PL/pgSQL
 * @returns {Mutation[]}
 */
function statementMutations(body) {
  return body.flatMap((token, index) => {
    const follows = /^(;|begin|then|else|loop)$/.test(body[index - 1]?.word ?? '')
    const isStatement = /^(perform|insert|update|delete|raise|new\..*|select)$/.test(token.word)
    /** @type {Mutation[]} */
    const mutations = []
    const end = tokensToEnd(body, index).at(-1)?.end ?? token.end
    if (follows && isStatement)
      mutations.push({ operator: 'drop statement', start: token.start, end, after: 'null' })
    const lock = [token, ...body.slice(index + 1, index + 4)].map(({ word }) => word).join(' ')
    const [clause] = /^for (no key update|update|share|key share)\b/.exec(lock) ?? []
    const last = clause && body[index + clause.split(' ').length - 1]
    if (last) mutations.push({ operator: 'drop lock', start: token.start, end: last.end, after: '' })
    return mutations
  })
}

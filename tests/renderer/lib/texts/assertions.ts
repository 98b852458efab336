import { childrenOf, isNode, type Node, nameOf, nodesIn, type Source, textOf } from './sources'

/** The texts that tests assert, as far as their sources tell. */
export interface Sought {
  /** Strings and templates, the latter with holes; no titles of tests, which assert nothing. */
  literals: ReadonlySet<string>
  patterns: readonly RegExp[]
  /** Keys of the catalogue that tests refer to: `auth.email`. */
  keys: ReadonlySet<string>
}

/** A regular expression that matches one of these matches nearly everything. */
const NONSENSE = ['qzx 7', '7', 'Qzx qzx qzx.']

/** The title in `test('…', …)`, `describe('…', …)` or `test.each(…)('…', …)`. */
function titleOf({ type, callee, arguments: given }: Node): Node | undefined {
  if (type !== 'CallExpression') return undefined
  const called = isNode(callee) && callee.type === 'CallExpression' ? callee.callee : callee
  const [first] = nodesIn(given)
  const isTest = /^(test|describe)\b/.test(nameOf(called) ?? '')
  return isTest && first !== undefined && textOf(first) !== undefined ? first : undefined
}

function isRegex(value: unknown): value is { pattern: string; flags: string } {
  return typeof value === 'object' && value !== null && 'pattern' in value && 'flags' in value
}

/** The nodes of a file that can be part of an assertion, added to a list: a generator of generators takes twice as long. */
function assertable(node: Node, found: Node[] = []): Node[] {
  if (/^(Import|TSType|TSInterface)/.test(node.type)) return found
  found.push(node)
  const title = titleOf(node)
  const key = node.type === 'Property' && node.computed !== true ? node.key : undefined
  for (const child of childrenOf(node)) if (child !== title && child !== key) assertable(child, found)
  return found
}

/** Names that a file gives to parts of the catalogue: `const { composer } = texts`, `const words = texts.settings`. */
function aliasesIn(nodes: readonly Node[]): Map<string, string> {
  const aliases = new Map([
    ['texts', ''],
    // Parts that are not in the catalogue's index.
    ['composePhotos', 'composePhotos'],
    ['composeVideo', 'composeVideo'],
    ['lightTable', 'lightTable'],
    ['photoEditor', 'photoEditor'],
    ['offlineComments', 'offlineComments'],
    ['videoPlayer', 'videoPlayer'],
  ])
  for (const { type, id, init } of nodes) {
    const path = type === 'VariableDeclarator' ? nameOf(init) : undefined
    if (path === undefined || !/^texts\b/.test(path) || !isNode(id)) continue
    const prefix = path.replace(/^texts\.?/, '')
    if (id.type === 'Identifier') aliases.set(String(id.name), prefix)
    for (const { key } of nodesIn(id.properties)) {
      const name = nameOf(key) ?? ''
      aliases.set(name, prefix === '' ? name : `${prefix}.${name}`)
    }
  }
  return aliases
}

export function readAssertions(sources: readonly Source[]): Sought {
  const literals = new Set<string>()
  const patterns = new Map<string, RegExp>()
  const keys = new Set<string>()
  for (const { program } of sources) {
    const nodes = assertable(program)
    const aliases = aliasesIn(nodes)
    for (const node of nodes) {
      const text = textOf(node)
      if (text !== undefined) literals.add(text.trim())
      if (isRegex(node.regex)) {
        literals.add(node.regex.pattern.replaceAll(/\\(\W)/g, '$1'))
        const regex = new RegExp(node.regex.pattern, node.regex.flags.replace(/[gy]/g, ''))
        if (!NONSENSE.some((each) => regex.test(each))) patterns.set(String(regex), regex)
      }
      const [first = '', ...rest] = node.type === 'MemberExpression' ? (nameOf(node)?.split('.') ?? []) : []
      const prefix = aliases.get(first)
      if (prefix !== undefined) keys.add([prefix, ...rest].filter((part) => part !== '').join('.'))
    }
  }
  return { literals, patterns: [...patterns.values()], keys }
}

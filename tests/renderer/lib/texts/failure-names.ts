import { childrenOf, type Node, nameOf, nodesIn, type Source, textOf } from './sources'

/** Functions that log a failure, and which of their arguments names it. */
const NAMING_ARGUMENT: Record<string, number> = {
  logFailure: 0,
  logIfFails: 0,
  attempt: 0,
  takeLinks: 1,
  toMediaErrorCode: 1,
}

/** Properties that name a failure: `what` for the file chooser, `action` in the `meta` of a mutation or a kind of outbox row. */
const NAMING_PROPERTIES: ReadonlySet<string | undefined> = new Set(['what', 'action'])

/** Arguments that are variables or calls. The names in `what` and `meta.action` come from a caller or from a property above. */
const VARIABLES: Record<string, readonly string[]> = {
  what: [],
  'meta.action': [],
  actionOf: [],
  reaction: ['like', 'save'],
}

function ownNames(node: Node, path: string): readonly string[] {
  if (node.type === 'Property' && NAMING_PROPERTIES.has(nameOf(node.key))) {
    const [name] = nodesIn([node.value]).map(textOf)
    return name === undefined ? [] : [name]
  }
  const position = node.type === 'CallExpression' ? NAMING_ARGUMENT[nameOf(node.callee) ?? ''] : undefined
  const what = position === undefined ? undefined : nodesIn(node.arguments)[position]
  if (what === undefined) return []
  const name = textOf(what)
  const names = name === undefined ? VARIABLES[nameOf(what) ?? nameOf(what.callee) ?? ''] : [name]
  if (names === undefined) throw new Error(`${path}: which failures does it log?`)
  return names
}

function namesIn(node: Node, path: string): string[] {
  return [...ownNames(node, path), ...childrenOf(node).flatMap((child) => namesIn(child, path))]
}

/** Every name under which the renderer logs a failure, with holes for variable parts. */
export function readFailureNames(sources: readonly Source[]): string[] {
  const all = sources.flatMap(({ path, program }) => namesIn(program, path))
  return [...new Set(all)].sort()
}

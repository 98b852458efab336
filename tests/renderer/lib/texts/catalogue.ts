import { HOLE, isNode, nameOf, nodesIn, sourcesIn, textOf } from './sources'

/** A text of the catalogue as its source has it; a function that returns one of several texts has several. */
export interface Entry {
  /** Its path in `texts`: `auth.email`. */
  key: string
  /** The text, with a hole for each argument. */
  text: string
}

/** Names in the catalogue's files that are not the first part of a key. */
const KEYS: Record<string, string> = { texts: '', serverProblems: 'server.problem' }

/** All combinations of one item of each list, joined. */
function joined(lists: string[][]): string[] {
  return lists.reduce((starts, items) => starts.flatMap((start) => items.map((item) => start + item)), [''])
}

/** The texts that an expression can yield. */
function textsOf(node: unknown): string[] {
  if (!isNode(node)) return []
  switch (node.type) {
    case 'Literal':
      return [textOf(node) ?? HOLE]
    case 'TemplateLiteral': {
      const expressions = nodesIn(node.expressions)
      const lists = nodesIn(node.quasis).map((quasi, index) => [
        [textOf(quasi) ?? ''],
        index < expressions.length ? textsOf(expressions[index]) : [''],
      ])
      return joined(lists.flat())
    }
    case 'ConditionalExpression':
      return [...textsOf(node.consequent), ...textsOf(node.alternate)]
    case 'CallExpression': {
      const [, one, other] = nodesIn(node.arguments)
      return nameOf(node.callee) === 'counted'
        ? [...textsOf(one), ...textsOf(other)].map((noun) => `${HOLE} ${noun}`)
        : [HOLE]
    }
    default:
      return [HOLE]
  }
}

function entriesIn(node: unknown, key: string): Entry[] {
  if (!isNode(node)) return []
  const below = (name: string) => (key === '' ? name : `${key}.${name}`)
  switch (node.type) {
    case 'ObjectExpression':
      return nodesIn(node.properties).flatMap((property) =>
        // `nav,` in the catalogue's index: its texts are found where they are written.
        property.shorthand === true ? [] : entriesIn(property.value, below(nameOf(property.key) ?? '')),
      )
    case 'ArrayExpression':
      return nodesIn(node.elements).flatMap((element, index) => entriesIn(element, below(String(index))))
    case 'ArrowFunctionExpression':
      return entriesIn(node.body, key)
    case 'TSAsExpression':
      return entriesIn(node.expression, key)
    default:
      return textsOf(node)
        .filter((text) => text.replaceAll(HOLE, '') !== '')
        .map((text) => ({ key, text }))
  }
}

/** Every text in `src/renderer/lib/texts/`. */
export function readCatalogue(): Entry[] {
  return sourcesIn('src/renderer/lib/texts')
    .filter(({ path }) => !path.endsWith('/counts.ts'))
    .flatMap(({ program }) => nodesIn(program.body))
    .map((statement) => (isNode(statement.declaration) ? statement.declaration : statement))
    .flatMap((statement) => nodesIn(statement.declarations))
    .flatMap(({ id, init }) => {
      const name = nameOf(id) ?? ''
      return entriesIn(init, KEYS[name] ?? name)
    })
}

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'vite'

/** Marks the place of an argument in a text. */
export const HOLE = '\0'

const ROOT = join(import.meta.dirname, '../../../..')

/** A node of a syntax tree: its fields depend on its type, so each has to be checked when it is read. */
export interface Node {
  type: string
  [field: string]: unknown
}

export function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'
}

export function nodesIn(value: unknown): Node[] {
  return Array.isArray(value) ? value.filter(isNode) : []
}

export function childrenOf(node: Node): Node[] {
  return Object.values(node).flatMap((value) => (isNode(value) ? [value] : nodesIn(value)))
}

/** The name of an identifier or key, the path of `a.b.c`, otherwise undefined. */
export function nameOf(node: unknown): string | undefined {
  if (!isNode(node)) return undefined
  if (node.type === 'Identifier') return String(node.name)
  if (node.type === 'Literal' && typeof node.value === 'string') return node.value
  if (node.type !== 'MemberExpression') return undefined
  const object = nameOf(node.object)
  const property = nameOf(node.property)
  const isKnown = node.computed !== true || (isNode(node.property) && node.property.type === 'Literal')
  return object !== undefined && property !== undefined && isKnown ? `${object}.${property}` : undefined
}

/** The text of a string, of JSX, or of a template with a hole for each expression; otherwise undefined. */
export function textOf(node: Node): string | undefined {
  const { type, value } = node
  if (type === 'TemplateLiteral') return nodesIn(node.quasis).map(textOf).join(HOLE)
  if (type === 'TemplateElement' && typeof value === 'object' && value !== null && 'cooked' in value)
    return String(value.cooked)
  return (type === 'Literal' || type === 'JSXText') && typeof value === 'string' ? value : undefined
}

export interface Source {
  /** Path relative to the root of the repository. */
  path: string
  code: string
  /** Parsed at its first use: most rules need the trees of few files. */
  readonly program: Node
}

/** Several rules read the same files. */
const parsed = new Map<string, Source>()

/** The source files below a folder of the repository. */
export function sourcesIn(folder: string): Source[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(tsx?|mjs|cjs)$/.test(name))
    .map((name) => {
      const path = `${folder}/${name.replaceAll('\\', '/')}`
      const source = parsed.get(path) ?? parse(path, readFileSync(join(ROOT, path), 'utf8'))
      parsed.set(path, source)
      return source
    })
}

export function parse(path: string, code: string): Source {
  let tree: Node | undefined
  return {
    path,
    code,
    get program() {
      tree ??= parseProgram(path, code)
      return tree
    },
  }
}

function parseProgram(path: string, code: string): Node {
  const { program, errors } = parseSync(path, code)
  const [error] = errors
  if (error !== undefined) throw new Error(`${path}: ${error.message}`)
  if (!isNode(program)) throw new Error(`${path}: no program`)
  return program
}

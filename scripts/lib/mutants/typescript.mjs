// @ts-check
import { parseSync } from 'vite'
import { otherNumber } from './mutation.mjs'

/**
 * @typedef {import('./mutation.mjs').Mutation} Mutation
 * @typedef {{ type: string, start: number, end: number, [key: string]: any }} Node
 */

const SWAPPED = /** @type {Record<string, string>} */ ({
  '===': '!==',
  '!==': '===',
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
  '&&': '||',
  '||': '&&',
})

/** Attributes and properties that only affect the appearance of an element or React's reconciliation. */
const STYLE_ATTRIBUTES =
  /^(class(Name)?|style|key|data-.*|d|viewBox|fill.*|stroke.*|size|sideOffset|rows|width|height|[cr]?[xyr]|[xy][12])$/
const LOGS = /^(log(Failure)?|console)\b/
/** Hooks whose second argument is a dependency list. */
const HOOKS = /^use(Effect|LayoutEffect|Memo|Callback|ImperativeHandle)$/

/**
 * Every mutation of a TypeScript file, except in types, imports, logs, texts and styles, where no test could detect it.
 * @param {string} file its extension decides whether it is parsed as JSX
 * @param {string} source
 */
export function typeScriptMutations(file, source) {
  return mutationsBelow(/** @type {any} */ (parseSync(file, source).program), source)
}

/**
 * @param {Node} node
 * @param {string} source
 * @returns {Mutation[]}
 */
function mutationsBelow(node, source) {
  if (isSkipped(node, source)) return []
  return [...mutationsOf(node, source), ...childrenOf(node).flatMap((child) => mutationsBelow(child, source))]
}

/**
 * @param {Node} node
 * @param {string} source
 * @returns {Mutation[]}
 */
function mutationsOf(node, source) {
  const text = (/** @type {Node} */ { start, end }) => source.slice(start, end)
  const change = (/** @type {string} */ operator, /** @type {string} */ after, { start, end } = node) => [
    { operator, start, end, after },
  ]
  switch (node.type) {
    case 'BinaryExpression':
    case 'LogicalExpression': {
      const { operator, left, right } = node
      const isText = [left, right].some(
        (side) => side.type === 'TemplateLiteral' || typeof side.value === 'string',
      )
      if (!(operator in SWAPPED) || (operator === '+' && isText)) return []
      // The parentheses keep the meaning if the other operator has a higher precedence.
      return change('swap operator', `((${text(left)}) ${SWAPPED[operator]} (${text(right)}))`)
    }
    case 'UnaryExpression':
      return node.operator === '!' ? change('negate', text(node.argument)) : []
    case 'IfStatement':
    case 'ConditionalExpression':
      // The condition itself has the same mutation.
      if (['!', '===', '!=='].includes(node.test.operator)) return []
      return change('negate', `!(${text(node.test)})`, node.test)
    case 'ExpressionStatement':
    case 'ThrowStatement':
      return node.directive ? [] : change('drop statement', '{}')
    case 'AwaitExpression':
      return change('drop await', text(node.argument))
    case 'ArrayExpression':
      return dropEach(node.elements)
    case 'ObjectExpression':
      return dropEach(node.properties)
    case 'JSXAttribute':
      return change('drop element', '')
    case 'FunctionDeclaration':
    case 'FunctionExpression':
    case 'ArrowFunctionExpression':
      // A function that returns a value would not compile.
      if (node.body?.type !== 'BlockStatement' || /\breturn [^\n]/.test(text(node.body))) return []
      return change('return early', '{ return;', { ...node.body, end: node.body.start + 1 })
    case 'Literal':
      if (typeof node.value === 'number') return change('change constant', otherNumber(node.value))
      if (typeof node.value === 'boolean') return change('change constant', String(!node.value))
      if (typeof node.value !== 'string' || /\s/.test(node.value)) return []
      return change('change constant', node.value === '' ? "'mutant'" : "''")
    default:
      return []
  }
}

/**
 * Removes each element of a list, with one adjacent comma.
 * @param {(Node | null)[]} list
 * @returns {Mutation[]}
 */
function dropEach(list) {
  const items = list.filter((item) => item !== null)
  return items.map((item, index) => {
    const [previous, next] = [items[index - 1], items[index + 1]]
    const start = next || !previous ? item.start : previous.end
    return { operator: 'drop element', start, end: next?.start ?? item.end, after: '' }
  })
}

/**
 * @param {Node} node
 * @param {string} source
 * @returns {boolean}
 */
function isSkipped(node, source) {
  const text = (/** @type {Node} */ { start, end }) => source.slice(start, end)
  // Type assertions contain an expression.
  if (node.type.startsWith('TS')) return !/^TS(As|Satisfies|NonNull)Expression$/.test(node.type)
  if (node.type === 'JSXAttribute') return STYLE_ATTRIBUTES.test(text(node.name))
  // The default value of a component's prop.
  if (node.type === 'AssignmentPattern') return /^(className|sideOffset)$/.test(text(node.left))
  if (node.type === 'ExpressionStatement') return isSkipped(node.expression, source)
  if (node.type === 'CallExpression') return LOGS.test(text(node.callee))
  return node.type === 'ImportDeclaration' || (/^Export/.test(node.type) && Boolean(node.source))
}

/**
 * The child nodes, without property names and hook dependencies.
 * @param {Node} node
 * @returns {Node[]}
 */
function childrenOf(node) {
  const isHook = node.type === 'CallExpression' && HOOKS.test(node.callee.name)
  const skipped = [node.type === 'Property' && !node.computed && node.key, isHook && node.arguments[1]]
  return Object.values(node)
    .flat()
    .filter((child) => typeof child?.type === 'string' && !skipped.includes(child))
}

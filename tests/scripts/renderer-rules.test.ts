import { describe, expect, test } from 'vitest'
import {
  childrenOf,
  isNode,
  type Node,
  nameOf,
  nodesIn,
  parse,
  type Source,
  sourcesIn,
} from '#tests/renderer/lib/texts/sources'

const COLLECTIONS = ['Map', 'Set', 'WeakMap', 'WeakSet']

/** Whether the type annotation promises that the value never changes. */
function isReadonly(binding: unknown): boolean {
  return (
    isNode(binding) &&
    /"(ReadonlySet|ReadonlyMap|ArrayLike)"/.test(JSON.stringify(binding.typeAnnotation ?? null))
  )
}

/** The variables that a list of statements declares, exported ones too. */
function variablesIn(body: unknown): { kind: unknown; id: unknown; init: unknown }[] {
  return nodesIn(body)
    .map((statement) =>
      statement.type === 'ExportNamedDeclaration' && isNode(statement.declaration)
        ? statement.declaration
        : statement,
    )
    .filter(({ type, declare }) => type === 'VariableDeclaration' && declare !== true)
    .flatMap(({ kind, declarations }) => nodesIn(declarations).map(({ id, init }) => ({ kind, id, init })))
}

/** Whether a variable can change, or is a collection that can. */
function isMutable({ kind, id, init }: { kind: unknown; id: unknown; init: unknown }): boolean {
  const isCollection =
    isNode(init) && init.type === 'NewExpression' && COLLECTIONS.includes(nameOf(init.callee) ?? '')
  return kind !== 'const' || (isCollection && !isReadonly(id))
}

/**
 * What may make state anywhere, because its documentation says how long the state lives: stores of zustand, values of one query client,
 * toggles and drafts of one member, the work of a form, a database, and constants that are made at their first use.
 */
const MAKERS: readonly string[] = [
  ...['create', 'createStore', 'onePerClient', 'createToggleSync', 'createDraftStore', 'createEditDrafts'],
  ...['createMediaChooser', 'storedObjects', 'once'],
]

const hasFunction = (node: Node): boolean =>
  childrenOf(node).some((child) => /Function/.test(child.type) || hasFunction(child))

/** The functions and classes of these files whose results keep state: in a closure, or in fields that change. */
function statefulNames(sources: readonly Pick<Source, 'program'>[]): ReadonlySet<string> {
  const declared = sources
    .flatMap(({ program }) => nodesIn(program.body))
    .map((statement) => (isNode(statement.declaration) ? statement.declaration : statement))
  const keepsState = ({ type, body }: Node) => {
    if (!isNode(body)) return false
    if (type === 'FunctionDeclaration') return variablesIn(body.body).some(isMutable) && hasFunction(body)
    return (
      type === 'ClassDeclaration' &&
      nodesIn(body.body).some((member) => member.type === 'PropertyDefinition' && member.readonly !== true)
    )
  }
  return new Set(declared.filter(keepsState).flatMap(({ id }) => nameOf(id) ?? []))
}

/** Declarations of mutable state at the top level of a module: `let`, collections that are not read-only, and objects and closures that keep some. */
function moduleState({ program }: Pick<Source, 'program'>, stateful: ReadonlySet<string>): string[] {
  const isMade = (init: unknown) =>
    isNode(init) &&
    (init.type === 'NewExpression' || init.type === 'CallExpression') &&
    stateful.has(nameOf(init.callee) ?? '') &&
    !MAKERS.includes(nameOf(init.callee) ?? '')
  return variablesIn(program.body)
    .filter((variable) => isMutable(variable) || (isMade(variable.init) && !isReadonly(variable.id)))
    .map(({ id }) => nameOf(id) ?? '?')
}

function callsSupabase(node: Node): boolean {
  return (
    (node.type === 'CallExpression' && nameOf(node.callee) === 'supabase') ||
    childrenOf(node).some(callsSupabase)
  )
}

/** Whether it contains `new Promise((resolve) => setTimeout(resolve, …))`. */
function wrapsTimeout(node: Node): boolean {
  const [executor] =
    node.type === 'NewExpression' && nameOf(node.callee) === 'Promise' ? nodesIn(node.arguments) : []
  const [resolve] = nodesIn(executor?.params)
  const call = isNode(executor?.body) ? executor.body : null
  const isTimeout = call?.type === 'CallExpression' && nameOf(call.callee) === 'setTimeout'
  const name = nameOf(resolve)
  if (isTimeout && name !== undefined && nameOf(nodesIn(call.arguments)[0]) === name) return true
  return childrenOf(node).some(wrapsTimeout)
}

/** Whether a feature's index.ts has re-exports and other statements too. Imports alone do not count. */
function isMixedIndex({ path, program }: Source): boolean {
  if (!/^src\/renderer\/features\/[^/]+\/index\.ts$/.test(path)) return false
  const statements = nodesIn(program.body).filter(({ type }) => type !== 'ImportDeclaration')
  const isReExport = ({ type, source }: Node) =>
    type === 'ExportAllDeclaration' || (type === 'ExportNamedDeclaration' && isNode(source))
  return statements.some(isReExport) && !statements.every(isReExport)
}

/** A worker has a memory of its own, which ends with it. */
const mayHaveState = (path: string) => /(-store|\.worker)\.tsx?$/.test(path)
const mayCallSupabase = (path: string) =>
  path.startsWith('src/renderer/lib/') ||
  /^src\/renderer\/features\/.*\/(queries|mutations)(\/[^/]+)?\.ts$/.test(path)

// The trees of files without the word are not looked at.
const withCalls = (sources: readonly Source[]) =>
  sources.filter(
    (source) =>
      !mayCallSupabase(source.path) && /\bsupabase\b/.test(source.code) && callsSupabase(source.program),
  )

const paths = (sources: readonly Source[]) => sources.map(({ path }) => path)
const renderer = sourcesIn('src/renderer')

const withState = (sources: readonly Source[]) => {
  const stateful = statefulNames([...renderer, ...sources])
  return sources.filter((source) => !mayHaveState(source.path) && moduleState(source, stateful).length > 0)
}

describe('mutable state at the top level of a module', () => {
  test('is only in files named *-store.ts', () => {
    expect(renderer.length).toBeGreaterThan(200)
    expect(paths(withState(renderer))).toEqual([])
  })

  test.each([
    'let count = 0',
    'export let count = 0',
    'var count = 0',
    'const seen = new Set<string>()',
    'export const seen = new Map<string, number>([])',
    'const seen: Map<string, number> = new Map()',
    'const seen = new WeakMap<object, string>()',
    'function counter() { let count = 0; return () => count++ }\nexport const next = counter()',
    'export function memory() { const seen = new Set(); return { add: (id) => seen.add(id) } }\nconst mine = memory()',
    'class Queue { #waiting = 0; add() { this.#waiting += 1 } }\nexport const queue = new Queue()',
  ])('is rejected elsewhere: %s', (code) => {
    expect(paths(withState([parse('src/renderer/lib/planted.ts', code)]))).toEqual([
      'src/renderer/lib/planted.ts',
    ])
    expect(withState([parse('src/renderer/lib/planted-store.ts', code)])).toEqual([])
  })

  test.each([
    "const KINDS: ReadonlySet<string> = new Set(['a'])",
    'const NAMES: ReadonlyMap<string, string> = new Map()',
    'const start = new Date(0)',
    'export function create() { let count = 0; const seen = new Set(); return () => [count++, seen] }',
    'declare let planted: string',
    'function sum() { let total = 0; for (const n of [1, 2]) total += n; return total }\nconst SUM = sum()',
    'class Point { readonly x = 1 }\nconst ORIGIN = new Point()',
    'const loaders = onePerClient(() => new Map())',
  ])('does not include %s', (code) => {
    expect(withState([parse('src/renderer/lib/planted.ts', code)])).toEqual([])
  })
})

describe('calls of supabase()', () => {
  test('are only in queries, mutations and lib', () => {
    expect(paths(withCalls(renderer))).toEqual([])
  })

  const CODE = "export const load = () => unwrap(supabase().from('posts').select())"

  test.each([
    'src/renderer/app/planted.ts',
    'src/renderer/components/planted.tsx',
    'src/renderer/features/feed/planted.ts',
    'src/renderer/features/feed/components/queries.tsx',
    'src/renderer/features/feed/more-queries.ts',
  ])('are rejected in %s', (path) => {
    expect(paths(withCalls([parse(path, CODE)]))).toEqual([path])
  })

  test.each([
    'src/renderer/lib/live/planted.ts',
    'src/renderer/features/feed/queries.ts',
    'src/renderer/features/feed/mutations.ts',
    'src/renderer/features/feed/queries/posts.ts',
    'src/renderer/features/feed/mutations/likes.ts',
    'src/renderer/features/settings/download/queries.ts',
  ])('are allowed in %s', (path) => {
    expect(withCalls([parse(path, CODE)])).toEqual([])
  })
})

describe('the index.ts of a feature', () => {
  const INDEX = 'src/renderer/features/planted/index.ts'
  const RE_EXPORT = "export { PersonRow } from './components/PersonRow'"

  test('has no declarations next to its re-exports, which would all be in the first load', () => {
    const mixed = paths(renderer.filter(isMixedIndex))
    expect(mixed).toEqual([])
  })

  test.each([
    "export const LikersModal = lazyComponent(() => import('./LikersModal'), 'LikersModal')",
    'export async function load() {}',
    'const size = 1',
  ])('is rejected if it also has %s', (code) => {
    expect(isMixedIndex(parse(INDEX, `${RE_EXPORT}\n${code}`))).toBe(true)
    expect(isMixedIndex(parse('src/renderer/features/planted/other.ts', `${RE_EXPORT}\n${code}`))).toBe(false)
  })

  test.each([
    `${RE_EXPORT}\nexport type { Person } from './queries'\nexport * from './keys'`,
    "import { lazyScreen } from '#/renderer/components/lazy-screen'\nexport const A = lazyScreen(() => import('./A'), 'A')",
  ])('may contain only one of the two: %s', (code) => {
    expect(isMixedIndex(parse(INDEX, code))).toBe(false)
  })
})

describe('a promise of a timeout', () => {
  const withTimeout = (sources: readonly Source[]) =>
    paths(sources.filter((source) => source.code.includes('setTimeout') && wrapsTimeout(source.program)))

  test('is made by one function', () => {
    expect(withTimeout(renderer)).toEqual(['src/renderer/lib/core/schedule.ts'])
  })

  test.each([
    'const timeout = new Promise((resolve) => setTimeout(resolve, 5))',
    'async function work() { await Promise.race([done, new Promise((go) => setTimeout(go))]) }',
  ])('is rejected elsewhere: %s', (code) => {
    expect(withTimeout([parse('src/renderer/lib/planted.ts', code)])).toHaveLength(1)
  })

  test('that does something else is accepted', () => {
    const code = 'new Promise((resolve, reject) => { setTimeout(() => reject(new Error()), 5) })'
    expect(withTimeout([parse('src/renderer/lib/planted.ts', code)])).toEqual([])
  })
})

describe('a query in pages', () => {
  /** Whether it reads on elsewhere than `nextPage` says, which ends the pages of a server that sends a place again. */
  const readsOnForEver = (node: Node): boolean =>
    (nameOf(node.key) === 'getNextPageParam' && nameOf(node.value) !== 'nextPage') ||
    childrenOf(node).some(readsOnForEver)

  test('ends if the server sends a place again', () => {
    const inPages = renderer.filter(({ code }) => code.includes('getNextPageParam'))
    expect(inPages.length).toBeGreaterThan(5)
    expect(paths(inPages.filter(({ program }) => readsOnForEver(program)))).toEqual([])
  })

  test('is rejected if it decides by itself', () => {
    const code = 'useInfiniteQuery({ queryFn, getNextPageParam: (page) => page.next })'
    expect(readsOnForEver(parse('src/renderer/features/feed/queries.ts', code).program)).toBe(true)
  })
})

describe('a backdrop filter', () => {
  const filtersBackdrop = (source: Source) =>
    source.code.includes('backdrop-') && JSON.stringify(source.program).includes('backdrop-')

  test('is not used: without a graphics card, each frame of a scroll would take longer (docs/measurements.md)', () => {
    expect(paths(renderer.filter(filtersBackdrop))).toEqual([])
  })

  test('is rejected as a class', () => {
    const code = `export const Bar = () => <div className="sticky backdrop-blur-md" />`
    expect(filtersBackdrop(parse('src/renderer/components/planted.tsx', code))).toBe(true)
  })
})

describe('ids with time', () => {
  /** What must not say when it was made, or is no row. */
  const RANDOM: readonly string[] = [
    'src/renderer/lib/core/toasts.ts',
    // The bits behind the time of an id.
    'src/renderer/lib/core/uuid.ts',
    'src/renderer/lib/device/stored-device.ts',
    'src/renderer/lib/media-store/upload/store.ts',
    'src/renderer/lib/server/supabase.ts',
  ]
  const withCode = (pattern: RegExp) => paths(renderer.filter(({ code }) => pattern.test(code)))

  test('are not those of objects in Storage, devices and sessions, which are random', () => {
    expect(withCode(/\brandomUUID\(/).toSorted()).toEqual(RANDOM)
    expect(withCode(/\bnewId\(/).filter((path) => RANDOM.includes(path))).toEqual([
      'src/renderer/lib/core/uuid.ts',
    ])
    const [upload] = renderer.filter(({ path }) => path.endsWith('media-store/upload/store.ts'))
    // The name of every object is made there.
    expect(upload?.code).toMatch(/`\$\{me\}\/\$\{crypto\.randomUUID\(\)\}\./)
  })

  /** Comparisons of ids, and orders by them, that have no time in the three lines before or in their own. */
  function comparesIds({ code }: Pick<Source, 'code'>): boolean {
    const lines = code.split('\n')
    return lines.some(
      (line, index) =>
        /\bid\s*[<>]=?\s*\w+\??\.id\b|\bid\.localeCompare\(|\.order\('(\w+_)?id'|\.(gte?|lte?)\('(\w+_)?id'|\bid\.[gl]te?\./.test(
          line,
        ) && !/time|_at\b|\w+At\b/i.test(lines.slice(Math.max(0, index - 3), index + 1).join('\n')),
    )
  }

  test('are not compared without the time before them: the clock that made them may be wrong', () => {
    expect(paths(renderer.filter(comparesIds))).toEqual([])
  })

  test.each([
    'rows.sort((a, b) => (a.id < b.id ? -1 : 1))',
    'rows.sort((a, b) => a.id.localeCompare(b.id))',
    `posts.order('id', { ascending: false })`,
    `posts.gt('id', last)`,
    "posts.or('id.lt.' + last)",
  ])('are rejected in %s', (code) => {
    expect(comparesIds({ code })).toBe(true)
  })
})

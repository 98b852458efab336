import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, posix, resolve } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import {
  childrenOf,
  type Node,
  nameOf,
  parse,
  type Source,
  sourcesIn,
} from '#tests/renderer/lib/texts/sources'
import { toolPath } from '../../scripts/lib/tools.mjs'

const ROOT = resolve(import.meta.dirname, '../..')

/** Forbidden imports: a file and what it imports. */
const FORBIDDEN: [file: string, specifier: string][] = [
  ['src/shared/planted.ts', 'electron'],
  ['src/shared/planted.ts', 'node:fs'],
  ['src/shared/planted.ts', '#/renderer/lib/core/errors'],
  ['src/shared/planted.ts', '../main/log'],
  ['src/backend/planted.ts', 'electron'],
  ['src/backend/planted.ts', '#/main/log'],
  ['src/backend/planted.ts', '../main/log'],
  ['src/backend/http/planted.ts', '../../main/log'],
  ['src/main/planted.ts', 'react'],
  ['src/main/planted.ts', '#/backend/log'],
  ['src/main/planted.ts', '../renderer/lib/errors'],
  ['src/preload/planted.ts', '@supabase/supabase-js'],
  ['src/renderer/app/planted.ts', '#/renderer/features/feed/queries'],
  ['src/renderer/app/planted.ts', '../features/feed/queries'],
  ['src/renderer/components/planted.tsx', '#/renderer/features/feed'],
  ['src/renderer/components/planted.tsx', '../features/feed'],
  ['src/renderer/lib/core/planted.ts', '#/renderer/features/feed'],
  ['src/renderer/lib/core/planted.ts', '@supabase/supabase-js'],
  ['src/renderer/lib/server/supabase.ts', '#/renderer/features/feed'],
  ['src/renderer/lib/media/planted.ts', '#/renderer/app/App'],
  ['src/renderer/lib/media/planted.ts', '../../features/feed'],
  ['src/renderer/features/feed/planted.ts', 'node:fs'],
  ['src/renderer/features/feed/planted.ts', '@supabase/supabase-js'],
  ['src/renderer/features/feed/planted.ts', '#/backend/log'],
  ['src/renderer/features/feed/planted.ts', '#/renderer/app/App'],
  ['src/renderer/features/feed/planted.ts', '#/renderer/features/post/queries'],
  ['src/renderer/features/feed/planted.ts', '../post/queries'],
  ['src/renderer/features/feed/components/planted.tsx', '#/renderer/features/post/queries'],
  ['src/renderer/features/feed/components/planted.tsx', '../../post/queries'],
]

const ALLOWED: [file: string, specifier: string][] = [
  ['src/backend/http/planted.ts', '../log'],
  ['src/main/planted.ts', '#/shared/limits'],
  ['src/renderer/app/planted.ts', '#/renderer/features/feed'],
  ['src/renderer/lib/server/supabase.ts', '@supabase/supabase-js'],
  ['src/renderer/features/feed/planted.ts', '#/renderer/features/post'],
  ['src/renderer/features/feed/components/planted.tsx', '../queries'],
]

const reportSchema = z.object({
  diagnostics: z.array(z.object({ category: z.string(), location: z.object({ path: z.string() }) })),
})

/** Writes each import to a separate file and returns the imports that the lint step rejects. */
async function refused(cases: readonly [file: string, specifier: string][]): Promise<string[]> {
  const project = await mkdtemp(join(tmpdir(), 'vignette-boundaries-'))
  try {
    await copyFile(join(ROOT, 'biome.json'), join(project, 'biome.json'))
    await writeFile(join(project, '.gitignore'), 'node_modules\n')
    const planted = new Map<string, string>()
    for (const [index, [file, specifier]] of cases.entries()) {
      const path = file.replace('planted', `planted-${index}`)
      planted.set(path, `${file} imports ${specifier}`)
      await mkdir(dirname(join(project, path)), { recursive: true })
      await writeFile(
        join(project, path),
        `import * as planted from '${specifier}'\n\nexport const value = planted\n`,
      )
    }
    const found = await lint(project)
    return [...planted].filter(([path]) => found.has(path)).map(([, text]) => text)
  } finally {
    await rm(project, { recursive: true, force: true })
  }
}

/** Files with imports that Biome refuses. */
async function lint(project: string): Promise<Set<string>> {
  const options = ['--only=style/noRestrictedImports', '--reporter=json', '--max-diagnostics=none']
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [toolPath('@biomejs/biome'), 'lint', ...options, 'src'],
    {
      cwd: project,
    },
  ).catch((error) => error)
  const { diagnostics } = reportSchema.parse(JSON.parse(stdout))
  return new Set(diagnostics.map(({ location }) => location.path))
}

test('the lint step refuses every import across a boundary', async () => {
  expect(await refused(FORBIDDEN)).toEqual(
    FORBIDDEN.map(([file, specifier]) => `${file} imports ${specifier}`),
  )
})

test('the lint step accepts imports within the boundaries', async () => {
  expect(await refused(ALLOWED)).toEqual([])
})

/** Every module that a file names: static and dynamic imports, re-exports, and types. */
function importsIn(node: Node): string[] {
  const source = nameOf(node.source)
  return [...(source === undefined ? [] : [source]), ...childrenOf(node).flatMap(importsIn)]
}

/** A folder whose README lists its rooms, the floor first. A room imports itself and the rooms above it in the list only. */
function roomsOf(folder: string) {
  const readme = readFileSync(join(ROOT, folder, 'README.md'), 'utf8')
  const rooms = [...readme.matchAll(/^- `([^`]+)`: /gm)].map(([, room = '']) => room)
  /** The room of a file: the innermost folder in the list. */
  const roomOf = (path: string): string | undefined =>
    rooms
      .filter((room) => path.startsWith(`${folder}/${room}/`))
      .sort((a, b) => b.length - a.length)
      .at(0)
  /** The imports of a file from a room below its own in the list, or from no room at all. */
  const upward = ({ path, program }: Source): string[] => {
    const own = roomOf(path)
    return importsIn(program).flatMap((specifier) => {
      const target = specifier.startsWith('.')
        ? posix.join(posix.dirname(path), specifier)
        : specifier.replace(/^#\//, 'src/')
      if (!target.startsWith(`${folder}/`)) return []
      const room = roomOf(target) ?? roomOf(`${target}/index.ts`)
      const isBelow = own !== undefined && room !== undefined && rooms.indexOf(room) <= rooms.indexOf(own)
      return isBelow ? [] : [`${path} imports ${specifier}`]
    })
  }
  return { roomOf, upward }
}

const LIB = 'src/renderer/lib'
const BACKEND = 'src/backend'
/** Types of the whole folder. */
const AMBIENT = /\.d\.ts$/

describe.each([LIB, BACKEND])('the rooms of %s', (folder) => {
  test('import rooms above them in the list only, so that they have no circles', () => {
    const { roomOf, upward } = roomsOf(folder)
    const sources = sourcesIn(folder).filter(({ path }) => !AMBIENT.test(path))
    expect(sources.length).toBeGreaterThan(50)
    expect(sources.filter(({ path }) => roomOf(path) === undefined).map(({ path }) => path)).toEqual([])
    expect(sources.flatMap(upward)).toEqual([])
  })
})

test.each([
  [LIB, 'core/planted.ts', '#/renderer/lib/server/supabase'],
  [LIB, 'server/checks/planted.ts', '#/renderer/lib/server/supabase'],
  [LIB, 'media/decode/planted.ts', '#/renderer/lib/media'],
  [LIB, 'media-store/planted.ts', '#/renderer/lib/outbox'],
  [LIB, 'core/planted.ts', '../texts/counts'],
  [LIB, 'core/planted.ts', '#/renderer/lib/planted'],
  [BACKEND, 'database/planted.ts', '#/backend/http/cors'],
  [BACKEND, 'http/planted.ts', '#/backend/start/start-backend'],
  [BACKEND, 'objects/planted.ts', '../http/auth-handler'],
  [BACKEND, 'access/planted.ts', '#/backend/realtime/channel'],
  [BACKEND, 'storage/planted.ts', '../database/queries'],
])('%s refuses in %s an import of %s', (folder, path, specifier) => {
  const { upward } = roomsOf(folder)
  expect(upward(parse(`${folder}/${path}`, `import '${specifier}'`))).toHaveLength(1)
  expect(upward(parse(`${folder}/${path}`, `export type A = import('${specifier}').A`))).toHaveLength(1)
})

test.each([
  [LIB, 'disk-cache/planted.ts', '#/renderer/lib/outbox'],
  [BACKEND, 'http/planted.ts', '#/backend/database/queries'],
])('%s accepts in %s an import of %s', (folder, path, specifier) => {
  expect(roomsOf(folder).upward(parse(`${folder}/${path}`, `import '${specifier}'`))).toEqual([])
})

test('no folder of src/main and lib has more than 15 files', () => {
  const sizes = ['src/main', LIB].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/.test(name))
      .map((name) => dirname(join(folder, name))),
  )
  const full = [...new Set(sizes)].filter((folder) => sizes.filter((each) => each === folder).length > 15)
  expect(full).toEqual([])
})

describe('the features', () => {
  const FEATURES = 'src/renderer/features'
  const featureOf = (path: string) => new RegExp(`^${FEATURES}/([^/]+)`).exec(path)?.[1]
  const imported = new Map<string, Set<string>>()
  for (const { path, program } of sourcesIn(FEATURES)) {
    const own = featureOf(path) ?? ''
    const others = imported.get(own) ?? new Set()
    imported.set(own, others)
    for (const specifier of importsIn(program)) {
      const feature = featureOf(specifier.replace(/^#\//, 'src/'))
      if (feature !== undefined && feature !== own) others.add(feature)
    }
  }
  /** Features that a feature stands on, also through others. */
  function below(feature: string, found = new Set<string>()): Set<string> {
    for (const each of imported.get(feature) ?? []) {
      if (found.has(each)) continue
      found.add(each)
      below(each, found)
    }
    return found
  }

  test('import each other without circles', () => {
    expect(imported.size).toBeGreaterThan(10)
    expect([...imported.keys()].filter((feature) => below(feature).has(feature))).toEqual([])
  })

  test('that share do not stand on messages, and sharing on none of them', () => {
    for (const feature of ['post', 'stories', 'feed']) expect([...below(feature)]).not.toContain('messages')
    expect([...below('sharing')]).toEqual([])
  })
})

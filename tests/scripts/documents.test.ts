import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'

const ROOT = resolve(import.meta.dirname, '../..')
const FOLDERS = ['.github', 'bench', 'docs', 'resources', 'scripts', 'src', 'supabase', 'tests']
/** Built files, placeholders, files of Electron, and files that a reader's own command writes. */
const NOT_SOURCE = /^out\/|\bNAME\.|^electron\.d\.ts$|^(roles|data)\.sql$/

const TEST_ENDS = ['', '.test.ts', '.test.tsx', '.spec.ts', '.ts']

const files = [
  ...readdirSync(ROOT),
  ...FOLDERS.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map(
      (name) => `${folder}/${name.replaceAll('\\', '/')}`,
    ),
  ),
]
const documents = files
  .filter((file) => file.endsWith('.md'))
  .map((file) => ({ file, source: readFileSync(join(ROOT, file), 'utf8') }))

/** All matches of the pattern's first group in the documents. */
const found = (pattern: RegExp) =>
  documents.flatMap(({ file, source }) =>
    [...source.matchAll(pattern)].map(([, text = '']) => ({ file, text })),
  )

describe('the documents', () => {
  test('link to files that exist', () => {
    const links = found(/\]\((?!https?:|#)([^)#]+)(?:#[^)]*)?\)/g)
    expect(links.length).toBeGreaterThan(20)
    expect(links.filter(({ file, text }) => !existsSync(join(ROOT, dirname(file), text)))).toEqual([])
  })

  test('name source files that exist, by their full path or its end', () => {
    const names = found(/(?<![\w.*-])(\w[\w.-]*(?:\/[\w.-]+)*\.(?:ts|tsx|mjs|cjs|sql))(?![\w*])/g)
    expect(names.length).toBeGreaterThan(100)
    const paths = files.map((file) => `/${file}`)
    expect(
      names.filter(({ text }) => !NOT_SOURCE.test(text) && !paths.some((path) => path.endsWith(`/${text}`))),
    ).toEqual([])
  })

  test('name folders and tests that exist', () => {
    const paths = found(/`((?:src|tests|scripts|docs|bench|resources|supabase)\/[^`\s*]+)`/g)
    expect(paths.length).toBeGreaterThan(20)
    expect(
      paths.filter(
        ({ text }) => !/NAME/.test(text) && !TEST_ENDS.some((end) => existsSync(join(ROOT, text + end))),
      ),
    ).toEqual([])
  })

  test('name the files of ten typical changes', () => {
    const contributing = readFileSync(join(ROOT, 'CONTRIBUTING.md'), 'utf8')
    const [, section = ''] = /## Where do I change …(.*?)\n## /s.exec(contributing) ?? []
    const changes = section.split('\n- **').slice(1)
    expect(changes.length).toBeGreaterThanOrEqual(10)
    const paths = (change: string) =>
      [...change.matchAll(/`((?:src|tests|supabase)\/[^`*]+)`/g)].map(([, path = '']) => path)
    expect(changes.filter((change) => paths(change).length === 0)).toEqual([])
    expect(changes.flatMap(paths).filter((path) => !existsSync(join(ROOT, path)))).toEqual([])
  })

  test('name tests that exist in the threat model', () => {
    const security = readFileSync(join(ROOT, 'docs/security.md'), 'utf8')
    const cells = [
      ...security.matchAll(/\| ((?:tests\/)?(?:backend|e2e|long|main|preload|renderer|shared)\/[^|]*) \|$/gm),
    ]
    // A name without a folder is in the folder of the name before it.
    let folder = ''
    const names = cells.flatMap(([, cell = '']) =>
      cell
        .replaceAll(' and ', ', ')
        .split(', ')
        .flatMap((part) => {
          const name = part.trim().replace(/^tests\//, '')
          if (name.startsWith('_')) return []
          if (name.includes('/')) folder = dirname(name)
          return [`tests/${name.includes('/') ? name : `${folder}/${name}`}`]
        }),
    )
    expect(names.length).toBeGreaterThan(80)
    expect(names.filter((name) => !TEST_ENDS.some((end) => existsSync(join(ROOT, name + end))))).toEqual([])
  })

  test('have one page of measurements', () => {
    expect(readFileSync(join(ROOT, 'docs/measurements.md'), 'utf8').split('\n').length).toBeLessThanOrEqual(
      121,
    )
  })

  test('introduce each folder of src that a reader enters, in a few lines', () => {
    const parents = ['src', 'src/main', 'src/renderer', 'src/renderer/features', 'src/renderer/lib']
    const folders = parents.flatMap((parent) =>
      readdirSync(join(ROOT, parent), { withFileTypes: true })
        .filter((entry) => entry.isDirectory() && entry.name !== 'public')
        .map(({ name }) => `${parent}/${name}`),
    )
    expect(folders.length).toBeGreaterThan(40)
    const linesOf = (folder: string) =>
      documents.find(({ file }) => file === `${folder}/README.md`)?.source.split('\n').length ?? 0
    expect(folders.filter((folder) => linesOf(folder) < 3 || linesOf(folder) > 40)).toEqual([])
  })

  test('cite decisions that exist', () => {
    const decisions = readdirSync(join(ROOT, 'docs/decisions'))
    const cited = found(/(?:decisions\/|[([, ])(00[0-4]\d)(?=[\]),.\-` ])/g)
    expect(cited.length).toBeGreaterThan(20)
    expect(cited.filter(({ text }) => !decisions.some((name) => name.startsWith(text)))).toEqual([])
  })
})

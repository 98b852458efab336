// @ts-check
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'vite'
import { ROOT } from './paths.mjs'

/** Files and folders whose comments, test titles and documents are checked. */
const CHECKED = [
  'README.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  'SECURITY.md',
  'electron.vite.config.ts',
  'playwright.config.ts',
  'vitest.config.ts',
  'bench',
  'docs',
  'resources',
  'scripts',
  'src',
  'supabase',
  'tests',
]

/** Generated files. */
const UNCHECKED = [/^docs\/schema\.md$/, /^supabase\/schema\.sql$/]

const CHECKED_TYPES = /\.(md|ts|tsx|mjs|sql)$/

/**
 * Words and phrases that plain technical English does not use, as regular expressions, and what to write instead.
 * @type {[words: string, instead: string][]}
 */
export const WORDS = [
  ['anew', 'again, or a verb: refetch, restart, redraw'],
  ['whoever|whom', 'name the actor: the member who, anyone who'],
  ['wholly', 'completely'],
  ['begun', 'started, or a noun: a draft'],
  ['bears|bore', 'has, had'],
  ["one[’']s|one has|oneself", 'name the subject: the member has, your own'],
  ['(?:is|are|was|were|be|been|being) told|tell(?:s|ing)? of', 'an active verb: shows, reports, notifies'],
  ['hears? of|heard of', 'notices, receives, learns of'],
  ['mak(?:es|ing) known|made known', 'announces, exposes'],
  ['wish(?:es)?', 'request, choice, pending value'],
  ['goes along|go along|going along', 'is included'],
  ['tak(?:es?|ing|en) back|took back', 'unsend, undo, remove'],
  ['to be had', 'available'],
  ["of (?:its|their|his|her|one[’']s) own", 'own, separate, dedicated'],
  ['not [^.,;:?]{1,60} any more', 'no longer'],
  ['those that', 'name the noun: the rows that'],
  ['(?<=^|[.:;]\\s|\\n\\s*\\n\\W*)what (?:is|was|are|were)(?![^.]*\\?)', 'start with a concrete subject'],
]

/** Parts of hyphenated names and paths do not count. */
const PATTERNS = WORDS.map(([words, instead]) => ({
  pattern: new RegExp(`(?<![\\p{L}\\d/-])(?:${words.replaceAll(' ', '\\s+')})(?![\\p{L}\\d/-])`, 'giu'),
  instead,
}))

/** The checked files, relative to the project's folder. */
export function checkedFiles() {
  return CHECKED.flatMap((path) =>
    statSync(join(ROOT, path)).isDirectory()
      ? readdirSync(join(ROOT, path), { recursive: true, encoding: 'utf8' }).map(
          (name) => `${path}/${name.replaceAll('\\', '/')}`,
        )
      : [path],
  ).filter((file) => CHECKED_TYPES.test(file) && !UNCHECKED.some((pattern) => pattern.test(file)))
}

/**
 * The words of the list in a file's prose, each as `file:line 'words': what to write instead`.
 * @param {string} file
 */
export const wordsIn = (file, source = readFileSync(join(ROOT, file), 'utf8')) =>
  proseOf(file, source).flatMap(({ start, text }) =>
    PATTERNS.flatMap(({ pattern, instead }) =>
      [...withoutQuotes(text).matchAll(pattern)].map(
        ({ 0: words, index }) => `${file}:${lineOf(source, start, text, index)} '${words}': ${instead}`,
      ),
    ),
  )

/** @param {string} source @param {number} start @param {string} text @param {number} index */
const lineOf = (source, start, text, index) =>
  `${source.slice(0, start)}${text.slice(0, index)}`.split('\n').length

/**
 * Blanks code and quoted texts, which may be the specification's or the screen's. Keeps all positions.
 * @param {string} text
 */
const withoutQuotes = (text) =>
  text.replace(/`[^`]*`|“[^”]*”|"[^"\n]*"|(?<![\p{L}\d])'[^'\n]+'(?![\p{L}\d])/gu, blank)

/** @param {string} text */
const blank = (text) => text.replace(/[^\n]/g, ' ')

/**
 * Documents without their code blocks, the comments of code, and the titles of tests.
 * @param {string} file
 * @param {string} source
 * @returns {{ start: number, text: string }[]}
 */
function proseOf(file, source) {
  if (file.endsWith('.md')) return [{ start: 0, text: source.replace(/^ *```[\s\S]*?^ *```/gm, blank) }]
  if (file.endsWith('.sql')) return sqlComments(source)
  // Without the asterisks at the start of each line, a phrase may run over two lines.
  const parsed = parseSync(file, source)
  const comments = parsed.comments.map(({ start, end }) => ({
    start,
    text: source.slice(start, end).replace(/^\s*(\/\/|\/\*\*?|\*)/gm, blank),
  }))
  // Other files have no titles, and reading the syntax tree takes long.
  const titles = /\.(test|spec)\.tsx?$/.test(file) ? testTitles(source, parsed.program) : []
  return [...comments, ...titles]
}

/** Line comments, and the texts of `comment on`. @param {string} source */
function sqlComments(source) {
  const matches = source.matchAll(
    /--(?<line>.*)|\bcomment on [^;']*\bis\s*'(?<text>(?:''|[^'])*)'|'(?:''|[^'])*'/gi,
  )
  return [...matches].flatMap(({ 0: all, index, groups }) => {
    const text = groups?.line ?? groups?.text
    return text === undefined ? [] : [{ start: index + all.indexOf(text), text }]
  })
}

/**
 * The titles in `test('…')`, `describe.each(…)('…')` and similar calls.
 * @param {string} source
 * @param {unknown} node a part of the syntax tree of the source
 * @returns {{ start: number, text: string }[]}
 */
function testTitles(source, node) {
  if (typeof node !== 'object' || node === null) return []
  const inside = Object.values(node).flatMap((child) => testTitles(source, child))
  if (!isTestCall(node)) return inside
  const [title] = node.arguments
  if (!['Literal', 'TemplateLiteral'].includes(title?.type)) return inside
  return [{ start: title.start + 1, text: source.slice(title.start + 1, title.end - 1) }, ...inside]
}

/**
 * @param {any} node
 * @returns {node is { arguments: any[] }}
 */
function isTestCall(node) {
  if (node.type !== 'CallExpression') return false
  let { callee } = node
  while (callee.type === 'MemberExpression' || callee.type === 'CallExpression')
    callee = callee.object ?? callee.callee
  return ['test', 'it', 'describe'].includes(callee.name)
}

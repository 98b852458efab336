/** A statement of an SQL file: its text without the comments before it, and its first line, counted from 1. */
export interface SqlStatement {
  text: string
  line: number
}

/** Tokens that may contain semicolons, in the order of PostgreSQL's lexer. */
const TOKENS = [
  /--[^\n]*/y,
  /\/\*/y,
  /[eE]'(?:[^'\\]|\\[\s\S]|'')*'/y,
  /'(?:[^']|'')*'/y,
  /"(?:[^"]|"")*"/y,
  /\$(?:[a-zA-Z_\u0080-\uffff][\w\u0080-\uffff]*)?\$/y,
  // Words, so that neither e'…' nor $…$ can start inside one.
  /[a-zA-Z_\u0080-\uffff][\w$\u0080-\uffff]*/y,
]
const [LINE_COMMENT, BLOCK_COMMENT, , , , DOLLAR, WORD] = TOKENS

/**
 * Splits an SQL file at the semicolons that end its statements, which excludes semicolons in strings, quoted names, dollar
 * quotes, comments, parentheses and the `begin atomic … end` body of a function.
 */
export function splitStatements(sql: string): SqlStatement[] {
  const statements: SqlStatement[] = []
  let start: number | null = null
  let parentheses = 0
  let blocks = 0
  let lastWord = ''
  let at = 0

  const finish = (end: number) => {
    if (start !== null) {
      statements.push({ text: sql.slice(start, end).trim(), line: sql.slice(0, start).split('\n').length })
    }
    start = null
    parentheses = 0
    blocks = 0
    lastWord = ''
  }

  while (at < sql.length) {
    const character = sql.charAt(at)
    if (/\s/.test(character)) {
      at += 1
      continue
    }
    if (character === ';' && parentheses === 0 && blocks === 0) {
      at += 1
      finish(at)
      continue
    }
    const token = TOKENS.find((pattern) => matchAt(pattern, sql, at) !== null)
    const text = token === undefined ? character : (matchAt(token, sql, at) ?? character)
    if (token === LINE_COMMENT) {
      at += text.length
      continue
    }
    if (token === BLOCK_COMMENT) {
      at = endOfBlockComment(sql, at)
      continue
    }
    start ??= at
    if (token === DOLLAR) {
      const close = sql.indexOf(text, at + text.length)
      at = close === -1 ? sql.length : close + text.length
      continue
    }
    if (token === WORD) {
      const word = text.toLowerCase()
      if (word === 'atomic' && lastWord === 'begin') blocks = 1
      else if (blocks > 0 && word === 'case') blocks += 1
      else if (blocks > 0 && word === 'end') blocks -= 1
      lastWord = word
    } else if (character === '(') parentheses += 1
    else if (character === ')') parentheses = Math.max(0, parentheses - 1)
    at += text.length
  }
  finish(sql.length)
  return statements
}

function matchAt(pattern: RegExp, sql: string, at: number): string | null {
  pattern.lastIndex = at
  return pattern.exec(sql)?.[0] ?? null
}

/** The end of a block comment; PostgreSQL's comments nest. */
function endOfBlockComment(sql: string, start: number): number {
  const delimiters = /\/\*|\*\//g
  delimiters.lastIndex = start
  let depth = 0
  for (let found = delimiters.exec(sql); found !== null; found = delimiters.exec(sql)) {
    depth += found[0] === '/*' ? 1 : -1
    if (depth === 0) return delimiters.lastIndex
  }
  return sql.length
}

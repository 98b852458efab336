import { splitStatements } from '#/backend/database/sql-statements'

/**
 * On hosted projects supautils takes ACCESS EXCLUSIVE locks on auth.users, auth.sessions, realtime.messages and others for each of
 * these, for any table, until the migration file ends, so nobody can sign in. A foreign key or trigger locks auth.users directly.
 */
const LOCKING =
  /\b(?:create|alter|drop)\s+policy\b|\bdrop\s+trigger\b|\breferences\s+auth\.|\bcreate\s+(?:or\s+replace\s+)?trigger\b[^;]*\bon\s+auth\./gi

/** Statements that read or write every row of a table. */
const SLOW =
  /\bcreate\s+(?:unique\s+)?index\b|\breindex\b|\brefresh\s+materialized\b|\bvalidate\s+constraint\b|\badd\s+(?:constraint|check|foreign|unique|primary)\b|\balter\s+column\s+\w+\s+(?:set\s+data\s+)?(?:type|set\s+not\s+null)\b|\badd\s+column\b[^;]*\bgenerated\b|\bupdate\s+[\w.]+\s+(?:as\s+)?\w*\s*set\b|\bdelete\s+from\b|\binsert\s+into\b[^;]*\bselect\b/gi

interface Match {
  line: number
  text: string
  isIndex: boolean
  table: string | null
}

/** Finds statements on whole tables that run while a migration locks tables of the auth schema. Returns one message each. */
export function findLongLocks(file: string, sql: string): string[] {
  const created = new Set<string>()
  const problems: string[] = []
  const indexes: Match[] = []
  let firstLock: Match | null = null
  for (const statement of splitStatements(sql)) {
    const table = /^create\s+table\s+(?:if\s+not\s+exists\s+)?([\w.]+)/i.exec(statement.text)?.[1]
    if (table !== undefined) created.add(table)
    // A function body does not run now, but the body of `do` does.
    if (/^create\s+(?:or\s+replace\s+)?(?:function|procedure)\b/i.test(statement.text)) continue
    const locks = find(statement, LOCKING)
    const slow = find(statement, SLOW).filter((one) => one.table === null || !created.has(one.table))
    indexes.push(...slow.filter(({ isIndex }) => isIndex))
    firstLock ??= locks[0] ?? null
    if (firstLock === null || table !== undefined) continue
    const late = slow.filter(({ isIndex, line }) => !isIndex && line >= (firstLock?.line ?? 0))
    problems.push(
      ...late.map(
        ({ line, text }) =>
          `${file}:${line}: "${text}" runs under the locks of line ${firstLock?.line}: move it before them, or into a separate file.`,
      ),
    )
  }
  if (firstLock !== null) {
    problems.push(
      ...indexes.map(
        ({ line }) =>
          `${file}:${line}: build the index in a file without policies, foreign keys to auth and dropped triggers (line ${firstLock?.line}).`,
      ),
    )
  }
  return problems
}

/**
 * Finds statements on whole tables after an index was dropped in the same file: nobody can read its table until the file ends.
 * Returns one message each.
 */
export function findReadLocks(file: string, sql: string): string[] {
  let dropped: Match | undefined
  return splitStatements(sql).flatMap((statement) => {
    if (/^create\s+(?:or\s+replace\s+)?(?:function|procedure)\b/i.test(statement.text)) return []
    const late = dropped === undefined ? [] : find(statement, SLOW)
    dropped ??= find(statement, /\bdrop\s+index\b/gi)[0]
    return late.map(
      ({ line, text }) =>
        `${file}:${line}: "${text}" runs after line ${dropped?.line} dropped an index: build under another name, drop, then rename.`,
    )
  })
}

function find({ text, line }: { text: string; line: number }, pattern: RegExp): Match[] {
  return [...text.matchAll(pattern)].map((match) => {
    const [found] = match
    const rest = text.slice(match.index)
    const isIndex = /^create\s+(?:unique\s+)?index/i.test(found)
    const table = isIndex
      ? /\bon\s+(?:only\s+)?([\w.]+)/i.exec(rest)?.[1]
      : (/^alter\s+table\s+(?:if\s+exists\s+)?(?:only\s+)?([\w.]+)/i.exec(text)?.[1] ??
        /^(?:update|delete\s+from|insert\s+into)\s+([\w.]+)/i.exec(rest)?.[1])
    return {
      line: line + text.slice(0, match.index).split('\n').length - 1,
      text: found.replaceAll(/\s+/g, ' ').slice(0, 60),
      isIndex,
      table: table ?? null,
    }
  })
}

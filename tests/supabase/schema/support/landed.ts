import { createHash } from 'node:crypto'

/** The hash of a migration, independent of the line endings of the checkout. */
export function hashMigration(sql: string): string {
  return createHash('sha256').update(sql.replaceAll('\r\n', '\n')).digest('hex')
}

/**
 * Compares the migrations (file name → text) with the landed ones (file name → hash). Returns one problem per entry, with
 * instructions.
 */
export function compareWithLanded(migrations: Map<string, string>, landed: Record<string, string>): string[] {
  const problems: string[] = []
  const last = Object.keys(landed).sort().at(-1) ?? ''
  for (const [file, sql] of migrations) {
    const hash = hashMigration(sql)
    const before = landed[file]
    if (before === undefined) {
      problems.push(
        file < last
          ? `${file} comes before ${last}, which has landed: give it a later number.`
          : `${file} is new: add "${file}": "${hash}" to tests/supabase/schema/landed.json.`,
      )
    } else if (before !== hash) {
      problems.push(`${file} has landed and must not change: undo the change and write another migration.`)
    }
  }
  for (const file of Object.keys(landed)) {
    if (!migrations.has(file)) problems.push(`${file} has landed and must stay.`)
  }
  return problems
}

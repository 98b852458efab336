import { createHash } from 'node:crypto'

/** The hash of a migration as it landed, whatever line ends the checkout has. */
export function hashMigration(sql: string): string {
  return createHash('sha256').update(sql.replaceAll('\r\n', '\n')).digest('hex')
}

/**
 * Compares the migrations there are (file name → text) with those that have landed (file name → hash). Gives one
 * complaint a line, each with what to do about it.
 */
export function compareWithLanded(migrations: Map<string, string>, landed: Record<string, string>): string[] {
  const complaints: string[] = []
  const last = Object.keys(landed).sort().at(-1) ?? ''
  for (const [file, sql] of migrations) {
    const hash = hashMigration(sql)
    const before = landed[file]
    if (before === undefined) {
      complaints.push(
        file < last
          ? `${file} comes before ${last}, which has landed: give it a later number.`
          : `${file} is new: add "${file}": "${hash}" to tests/backend/schema/landed.json.`,
      )
    } else if (before !== hash) {
      complaints.push(`${file} has landed and must not change: undo the change and write another migration.`)
    }
  }
  for (const file of Object.keys(landed)) {
    if (!migrations.has(file)) complaints.push(`${file} has landed and must stay.`)
  }
  return complaints
}

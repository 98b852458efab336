import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { EarlierDatabase } from './earlier-database'

/** The members of full-community.sql who are asked. Two more leave. */
export const MEMBERS = ['ada', 'ben', 'cleo', 'dora', 'emil', 'fay', 'gus', 'hana']

/** The id of what full-community.sql gives this name. */
export const idOf = (name: string): string =>
  createHash('md5')
    .update(name)
    .digest('hex')
    .replace(/^(\w{8})(\w{4})(\w{4})(\w{4})/, '$1-$2-$3-$4-')

/** Fills each table of a database with the migrations before `version`: as requests of members, in their order. */
export async function fillCommunity({ as, sql }: EarlierDatabase, version: string): Promise<void> {
  const text = await readFile(join(import.meta.dirname, 'full-community.sql'), 'utf8')
  const filled = text.replace(
    /\{([a-z ]+)(?:\/([a-z ]+)\.(\w+))?\}/g,
    (_, name: string, file?: string, type?: string) =>
      file === undefined ? `'${idOf(name)}'` : `'${idOf(name)}/${idOf(`${name} ${file}`)}.${type}'`,
  )
  for (const [, who = '', since = '', statements = ''] of filled.matchAll(
    /^-- as (\w+)(?: since (\d+))?\n(.*?)(?=^-- as|$(?![\s\S]))/gms,
  )) {
    if (since >= version) continue
    for (const statement of statements.split(/;\n/).filter((part) => part.trim() !== '')) {
      try {
        await (who === 'owner' ? sql(statement) : as(idOf(who), statement))
      } catch (cause) {
        throw new Error(`${who} cannot: ${statement}`, { cause })
      }
    }
  }
}

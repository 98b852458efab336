import {
  EMBEDS_WITH_MEDIA,
  MEDIA_ONCE,
  REST_LIMITS,
  SERVED_TABLES,
  type ServedRows,
  SHORT_LIST_ROWS,
  SHORT_LISTS,
} from '#/backend/http/served'
import { refuse, Scanner, splitNames } from './scanner'

/** A parsed `select`. */
export interface Selection {
  /** The parameter for lite. */
  text: string
  /** Embedded tables by the name that filters use: the alias, or the table. */
  embeds: ReadonlyMap<string, ServedRows>
  /** Names of the embeds that are lists. */
  lists: readonly string[]
}

interface ParsedSelect extends Selection {
  /** Embedded rows of all levels for each row: one for each table, and those of short lists in embedded rows. */
  embeddedRows: number
}

interface Level {
  rows: ServedRows
  depth: number
  /** Whether it is a list, in which embeds would be read once for each of its rows. */
  isList: boolean
  /** Whether the same row may be embedded in many rows of the level above. */
  isShared: boolean
}

/**
 * Parses `select`: columns with or without an alias, each at most once, and embedded tables. Casts, JSON paths, spreads,
 * `!inner` and aggregates other than `count` are not served.
 */
export function parseSelect(text: string, rows: ServedRows): ParsedSelect {
  const scanner = new Scanner(text)
  const parser = new SelectParser(scanner)
  const parsed = parser.level({ rows, depth: 0, isList: false, isShared: false })
  scanner.expectEnd()
  return { ...parsed, embeddedRows: parser.embeddedRows }
}

class SelectParser {
  readonly #scanner: Scanner
  #embedCount = 0
  #embeddedRows = 0

  constructor(scanner: Scanner) {
    this.#scanner = scanner
  }

  get embeddedRows(): number {
    return this.#embeddedRows
  }

  level(level: Level): Selection {
    const items: string[] = []
    const keys = new Set<string>()
    const columns = new Set<string>()
    const embeds = new Map<string, ServedRows>()
    const lists: string[] = []
    const foreignKeys = new Map<string, number>()
    do {
      const item = this.#item(level)
      if (keys.has(item.key) || (item.column !== null && columns.has(item.column))) {
        refuse(`'${item.key}' is selected twice`)
      }
      keys.add(item.key)
      if (item.column !== null) columns.add(item.column)
      if (item.embed !== null) {
        const { rows, foreignKey, isList } = item.embed
        const most = isList ? 2 : 1
        const count = (foreignKeys.get(foreignKey) ?? 0) + 1
        if (count > most)
          refuse(`An embed by '${foreignKey}' is given ${most === 1 ? 'once' : 'twice at most'}`)
        foreignKeys.set(foreignKey, count)
        embeds.set(item.key, rows)
        if (isList) lists.push(item.key)
      }
      items.push(item.text)
    } while (this.#scanner.take(','))
    if (columns.has('*') && columns.size > 1) refuse("A column is selected beside '*', which has it already")
    return { text: items.join(), embeds, lists }
  }

  #item(level: Level): Item {
    if (this.#scanner.take('*')) {
      checkMedia(level, splitNames(level.rows.columns))
      return { text: '*', key: '*', column: '*', embed: null }
    }
    const first = this.#scanner.identifier()
    const isAliased = this.#scanner.take(':')
    const name = isAliased ? this.#scanner.identifier() : first
    const alias = isAliased ? first : null
    if (this.#scanner.sees('!') || this.#scanner.sees('(')) return this.#embed(level, name, alias)

    const isCount = name === 'count' && level.depth > 0 && alias === null
    if (!isCount && !splitNames(level.rows.columns).includes(name)) {
      refuse(`The column '${name}' is not served`, '42703')
    }
    checkMedia(level, [name])
    return { text: alias === null ? name : `${alias}:${name}`, key: first, column: name, embed: null }
  }

  #embed(level: Level, table: string, alias: string | null): Item {
    const { embedDepth, embeds } = REST_LIMITS
    this.#embedCount += 1
    if (this.#embedCount > embeds) refuse(`A request embeds at most ${embeds} tables`)
    if (level.depth === embedDepth) refuse(`Tables are embedded at most ${embedDepth} levels deep`)
    if (level.isList) refuse('A list of rows has no tables inside it')
    const hint = this.#scanner.take('!') ? this.#scanner.identifier() : null
    const { foreignKey, isMany } = findRelation(level, table, hint)
    this.#embeddedRows += isMany && level.depth > 0 ? SHORT_LIST_ROWS : 1
    const rows = SERVED_TABLES[table]
    if (rows === undefined) return refuse(`The table '${table}' cannot be embedded here`, 'PGRST200')

    this.#scanner.expect('(')
    const isShared = !isMany && !EMBEDS_WITH_MEDIA.includes(foreignKey)
    const inner = this.level({ rows, depth: level.depth + 1, isList: isMany, isShared })
    this.#scanner.expect(')')
    const named = alias === null ? table : `${alias}:${table}`
    return {
      text: `${named}!${foreignKey}(${inner.text})`,
      key: alias ?? table,
      column: null,
      embed: { rows, foreignKey, isList: isMany },
    }
  }
}

interface Item {
  text: string
  key: string
  /** Null for an embed. */
  column: string | null
  embed: Embed | null
}

interface Embed {
  rows: ServedRows
  foreignKey: string
  isList: boolean
}

/** Finds the foreign key of an embed. A request names the key or its column, or neither if there is only one. */
function findRelation(level: Level, table: string, hint: string | null) {
  const { one = {}, many = {} } = level.rows
  // Lists inside lists would multiply the response.
  const lists = Object.keys(many).filter((key) => level.depth === 0 || SHORT_LISTS.includes(key))
  const keys = [...Object.keys(one), ...lists]
  const candidates = keys.filter((key) => (one[key] ?? many[key]) === table)
  const matching = candidates.filter((key) => hint === null || key === hint || key.endsWith(`_${hint}_fkey`))
  const [foreignKey] = matching
  if (foreignKey === undefined) return refuse(`The table '${table}' cannot be embedded here`, 'PGRST200')
  if (matching.length > 1)
    return refuse(`More than one relationship leads to '${table}': name one`, 'PGRST201')
  return { foreignKey, isMany: foreignKey in many }
}

function checkMedia({ isShared }: Level, columns: readonly string[]): void {
  const media = isShared ? columns.find((column) => MEDIA_ONCE.includes(column)) : undefined
  if (media !== undefined) refuse(`The column '${media}' cannot be embedded here`)
}

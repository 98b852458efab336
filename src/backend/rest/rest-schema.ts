import exposed from './exposed-schema.json'
import { refuse } from './not-served-error'

/** The rows of a table or function. */
export interface Rows {
  /** Null for a function that returns no rows of a table. */
  table: string | null
  columns: string[]
  /**
   * Columns that filters only compare for equality: they run before row security, and the response time of `gt` and `lt` would
   * reveal a hidden text letter by letter.
   */
  texts: string[]
}

/** The tables, with the columns of their primary keys. */
export const TABLES = new Map<string, Rows & { key: string[] }>(Object.entries(exposed.tables))

/** A function, which POST calls, and GET too if it only reads. */
export type Callable = Rows & { args: string[]; reads: boolean }

export const FUNCTIONS = new Map<string, Callable>(Object.entries(exposed.functions))

/** Limits of one request. The app's requests stay far below them. */
export const REST_LIMITS = {
  /** Characters of path and query; a list of 400 ids fits. */
  url: 20_000,
  /** Opening parentheses of `select`, `or` and `and`, which lite parses recursively. */
  parentheses: 60,
  /** Filters, including filters inside `or` and of embedded tables. */
  conditions: 24,
  /** Values of an `in` list. */
  list: 400,
  /** Nesting of `or` and `and`, including the `and` that joins several of them. */
  logicDepth: 3,
  embedDepth: 2,
  embeds: 6,
  /** Rows of a list without a limit, and of a list inside an embedded row. */
  listed: 10,
  /** Rows of a read, times the rows that are embedded in each, where each list counts as two rows more. */
  embeddedRows: 2_000,
  /** Rows of a read. */
  limit: 1_000,
  /** Rows of an insert, and objects in a list of a function. */
  rows: 100,
  /** Bytes of a body, and of an insert into a table with inline pictures and videos: one picture, or a video of 2 MB. The app stores larger ones in Storage. */
  body: 250_000,
  inlineBody: 3_000_000,
  /** Values of a body: a hundred rows with all columns have 2,000. */
  values: 10_000,
  /** Characters of a body's value that is not a picture or video; twice as many as a member's longest text. */
  bodyValue: 16_000,
  /** Characters of the text that a function searches for. The app's fields have 100. */
  query: 400,
  /** Marks in a row. PostgreSQL takes a second to compose a text of 16,000, before any check of its length. */
  marks: 250,
} as const

/** Rows of an insert for which triggers insert up to 30 hashtags and 20 mentions each: fifty would take most of a second. */
export const INSERTED_ROWS: Readonly<Record<string, number>> = { posts: 20, stories: 20 }

/** Columns with pictures, videos and captions that a list cannot have, because it is one value of its row. */
export const LARGE_MEDIA = ['image_url', 'media_url', 'captions']

/** Columns that an embedded row cannot have if many rows may embed the same one. */
export const MEDIA_ONCE = [...LARGE_MEDIA, 'thumbnail_url']

/** Columns that filters and orders cannot use. */
export const MEDIA = [...MEDIA_ONCE, 'avatar_url']

/** Embedded rows that may have `MEDIA_ONCE`: a post appears once in a member's own list, and once among those with a hashtag or place. */
export const EMBEDS_WITH_MEDIA = [
  'saved_posts_post_id_fkey',
  'post_tags_post_id_fkey',
  'post_topics_post_id_fkey',
]

/** Lists that may be embedded in embedded rows: a post has at most ten photos. */
export const NESTED_LISTS = ['post_media_post_id_fkey']

/** Columns that `ilike` may search. */
export const SEARCHED = ['profiles username', 'profiles full_name']

/** Lists that may have more rows than `listed`, unless a request limits them. They count as if they had not: members react to few messages. */
export const LONG_LISTS: Readonly<Record<string, number>> = { message_reactions_message_id_fkey: 100 }

/** The rows of a path below /rest/v1/. Throws a `NotServedError`. */
export function exposedRows(path: string): Rows {
  const name = path.replace(/^rpc\//, '')
  const rows = name === path ? TABLES.get(name) : FUNCTIONS.get(name)
  const [code, kind] = name === path ? ['PGRST205', 'table'] : ['PGRST202', 'function']
  const found = rows ?? refuse(`Could not find the ${kind} '${name}' in the schema cache`, code, 404)
  return TABLES.get(found.table ?? '') ?? found
}

/** The foreign keys by which rows of a table can embed another one, as a row or as a list. */
export function referencesBetween(table: string | null, embedded: string) {
  return Object.entries(exposed.references).flatMap(([name, [from, column, to, rows]]) => {
    const isList = from === embedded && to === table && rows === 'many'
    return isList || (from === table && to === embedded) ? [{ name, column, isList }] : []
  })
}

import { type PGlite, parse, protocol, type Results } from '@electric-sql/pglite'

const { serialize } = protocol

type Message = Parameters<typeof parse.parseResults>[0][number]

interface PreparedStatement {
  name: string
  parameterTypes: number[]
  /** Describes the columns of the result; statements without a result have none. */
  description: Message[]
}

/** Prepared statements that PostgreSQL keeps. The feed's takes 0.3 MB of its memory. */
const KEPT_MAX = 40

/** Longer statements have long lists of values and hardly occur twice. */
const CHARACTERS_MAX = 10_000

/** Statements that may recreate an object whose id a prepared statement contains (`'realtime.send'::regproc`). */
const DEFINITION = /\b(?:create|alter|drop)\b/i

/**
 * Keeps the statements of `pg.query` prepared. PGlite itself sends each statement in six calls of PostgreSQL, which parses it
 * and adds the policies each time. A prepared one takes one call. PostgreSQL plans it again when a table, a policy or the
 * role has changed.
 */
export function prepareStatements(pg: PGlite): void {
  const query = pg.query.bind(pg)
  const exec = pg.exec.bind(pg)
  /** By their text, the least recently used one first. */
  const prepared = new Map<string, PreparedStatement>()
  let count = 0
  /** Close messages of removed statements. They are sent before the next statement is prepared. */
  let closing: Uint8Array[] = []

  const send = (messages: Uint8Array[]) => pg.execProtocolStream(concatenate(messages), { syncToFs: false })

  const forget = (sql: string, { name }: PreparedStatement) => {
    prepared.delete(sql)
    closing.push(serialize.close({ type: 'S', name }))
  }

  const prepare = async (sql: string): Promise<PreparedStatement> => {
    const [oldest] = prepared
    if (oldest !== undefined && prepared.size >= KEPT_MAX) forget(...oldest)
    count += 1
    const name = `s${count}`
    const closed = closing
    closing = []
    const messages = await send([
      ...closed,
      serialize.parse({ name, text: sql }),
      serialize.describe({ type: 'S', name }),
      serialize.sync(),
    ])
    return {
      name,
      parameterTypes: parse.parseDescribeStatementResults(messages),
      description: messages.filter((message) => message.name === 'rowDescription'),
    }
  }

  pg.exec = async (sql, options) => {
    if (DEFINITION.test(sql)) for (const entry of prepared) forget(...entry)
    return exec(sql, options)
  }

  pg.query = async <Row>(sql: string, parameters: unknown[] = [], options?: object) => {
    const isKept = options === undefined && sql.length <= CHARACTERS_MAX && !pg.closed
    if (!isKept) return query<Row>(sql, parameters, options)
    return pg.runExclusive(async (): Promise<Results<Row>> => {
      const statement = prepared.get(sql) ?? (await prepare(sql))
      // Mark it as the most recently used one.
      prepared.delete(sql)
      prepared.set(sql, statement)
      const values = parameters.map((value, index) =>
        serializeValue(pg, value, statement.parameterTypes[index]),
      )
      try {
        const messages = await send([
          serialize.bind({ statement: statement.name, values }),
          serialize.execute({}),
          serialize.sync(),
        ])
        const [result] = parse.parseResults([...statement.description, ...messages], pg.parsers)
        return result as Results<Row>
      } catch (error) {
        // Its columns may have changed: the next call prepares it again.
        forget(sql, statement)
        throw error
      }
    })
  }
}

/** Like PGlite: throws for a value that its type does not accept. */
function serializeValue({ serializers }: PGlite, value: unknown, type: number | undefined): string | null {
  if (value === null || value === undefined) return null
  const serializer = type === undefined ? undefined : serializers[type]
  return serializer === undefined ? String(value) : serializer(value)
}

function concatenate(messages: Uint8Array[]): Uint8Array {
  const [first] = messages
  return messages.length === 1 && first !== undefined ? first : Buffer.concat(messages)
}
